import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withFiles } from '../apps/web/guide-plugin.ts'
import { readGuidePage } from '../apps/web/src/features/guide/read-guide.ts'
import { GUIDE_TOPICS } from '../apps/web/src/lib/guide-topics.ts'

const root = join(import.meta.dirname, '..')
const guide = join(root, 'docs', 'guide')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = readdirSync(guide).filter((file) => file.endsWith('.md'))
const pageOf = (file: string) => withFiles({ markdown: read(join('docs/guide', file)), folder: guide })
const pages = new Map(files.map((file) => [file, readGuidePage(pageOf(file))]))

/** What is wrong with a link of the guide to a page of it, or to a part of one. */
function faultOf({ from, link }: { from: string; link: string }): string[] {
  if (/^https?:/.test(link)) return []
  const [file = '', anchor] = link.split('#')
  const page = pages.get(file === '' ? from : file)
  if (!page) return [`${from}: no page ${link}`]
  const isThere = anchor === undefined || page.parts.some((part) => part.anchor === anchor)
  return isThere ? [] : [`${from}: no part ${link}`]
}

test('every link of the guide leads to a page and a part of it', () => {
  const links = [...pages].flatMap(([from, { parts }]) =>
    parts.flatMap(({ links }) => links.map((link) => ({ from, link }))),
  )
  expect(links.length).toBeGreaterThan(20)
  expect(links.flatMap(faultOf)).toEqual([])
})

test('a link to a page or a part that is not there is found', () => {
  expect(faultOf({ from: 'start.md', link: 'nowhere.md' })).toEqual(['start.md: no page nowhere.md'])
  expect(faultOf({ from: 'start.md', link: 'chains.md#nowhere' })).toEqual([
    'start.md: no part chains.md#nowhere',
  ])
  expect(faultOf({ from: 'start.md', link: '#nowhere' })).toEqual(['start.md: no part #nowhere'])
})

test('every topic that the app leads to is in the guide', () => {
  const faults = Object.values(GUIDE_TOPICS).flatMap(({ href }) => {
    const [, name = '', anchor = ''] = /^\/docs(?:\/([\w-]+))?(#.+)?$/.exec(href) ?? []
    return faultOf({ from: 'the app', link: `${name === '' ? 'README' : name}.md${anchor}` })
  })
  expect(faults).toEqual([])
})

test('the first page names every other one', () => {
  const named = pages.get('README.md')?.parts.flatMap(({ links }) => links)
  expect(named?.toSorted()).toEqual(files.filter((file) => file !== 'README.md').toSorted())
})

test('a page of the app shows the files to which it leads, and one that is gone stops the build', () => {
  expect(pages.get('operate.md')?.parts.find(({ title }) => title === 'Caddy')?.text).toContain(
    'reverse_proxy',
  )
  const lead = (file: string) => withFiles({ markdown: `[a](../../deploy/${file})`, folder: guide })
  expect(lead('scale/patroni.yml')).toMatch(/^```yaml\n# Patroni .*\n```$/s)
  const [, backups] = /^## Backups\n\n(.*?)\n\n/ms.exec(pageOf('settings.md')) ?? []
  expect(backups).toContain('| `BACKUP_TIME` | `03:00` | when ')
  expect(backups).toContain('| `BACKUP_COMMAND` | none | a program ')
  expect(() => lead('gone.conf')).toThrow('ENOENT')
})

test.each([
  {
    file: 'connect-agents.md',
    client: 'Codex',
    code: 'codex mcp add catenary --url http://localhost:3000/mcp',
  },
  { file: 'call-it-from-code.md', client: 'OpenAI SDK', code: "model: 'chain-7'" },
  { file: 'call-it-from-code.md', client: 'Langfuse for prompts', code: "prompt.get('welcome-letter')" },
])('The snippets in the guide are those of the app. (%o)', ({ file, client, code }) => {
  expect(pages.get(file)?.parts.find(({ title }) => title === client)?.text).toContain(code)
})

test('every picture is there, light and dark', () => {
  const pictures = files.flatMap((file) =>
    [...read(join('docs/guide', file)).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(
      ([, picture = '']) => picture,
    ),
  )
  const missing = pictures
    .flatMap((picture) => [picture, picture.replace('.webp', '-dark.webp')])
    .filter((picture) => !existsSync(join(guide, picture)))
  expect(missing).toEqual([])
})

/** The commands of a page's fenced blocks; what is taken from the code is tried there. */
function commandsOf(markdown: string): string[] {
  const written = markdown.replaceAll(/<!-- Written by .*?<!-- Its end\. -->/gs, '')
  return [...written.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, language = '', block = '']) =>
    (/^(sh|bash|console)?$/.test(language) ? block : '')
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/ +# .*$/, '').trim())
      .filter((line) => line !== ''),
  )
}

/** The commands of the README, CONTRIBUTING and the guide that nobody but a person runs; typed as they stand on 23 November 2026. */
const BY_HAND = [
  'npm test',
  'npm test -- apps/server/src/features/library/categories.test.ts',
  'npm run check',
  'npm run dev',
  'npm run catenary -- compact',
  'DATA_DIR=/path/to/the/clone/data npx ./catenary-0.1.0.tgz',
  'npm install --prefix catenary ./catenary-0.1.0.tgz',
  'catenary/node_modules/.bin/catenary',
]
/** Those that a file runs, or whose effect it shows. Nothing runs the snippets of LangChain and Langfuse in Python. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  'bench/first-start.bench.ts': ['npm start'],
  'scripts/changed.test.ts': ['npm test -- --changed'],
  'e2e/package.thorough.ts': [
    'npm run pack',
    'npx ./dist/catenary-0.1.0.tgz',
    'npm run catenary -- --version',
  ],
  'scripts/fresh-clone.test.ts': ['npm run pack'],
  'e2e/commands.thorough.ts': [
    'npm run catenary -- list-settings',
    'npm run catenary -- create-admin --username ada --email ada@example.org',
    'npm run catenary -- reset-password ada',
    'npm run catenary -- move --to postgres://catenary@db.example.org/catenary',
    'npm run catenary -- upgrade --rehearse',
    'npm run catenary -- doctor',
    'npm run catenary -- verify --activity',
  ],
  'e2e/rotate-key.thorough.ts': ['npm run catenary -- rotate-key'],
  'e2e/move-kill.durability.ts': ['npm run catenary -- move --to embedded'],
  'e2e/backups.thorough.ts': [
    'npm run catenary -- backup catenary.backup',
    'npm run catenary -- verify catenary.backup',
    'npm run catenary -- backup catenary-with-key.backup --with-key < passphrase.txt',
    'npm run catenary -- restore catenary.backup',
  ],
  'e2e/night-guide.thorough.ts': [
    'npm run catenary -- upgrade --rehearse',
    'npm run catenary -- verify last.catenary',
    'mkdir -m 700 data',
    'cp secret.key data/secret.key',
    'npm run catenary -- restore last.catenary',
    'npm run catenary -- start',
    'npm run catenary -- start --resume-work',
    `ls -t "\${BACKUP_DIR:-data/backups}"`,
    'mv data/database data/database.newer',
    `npm run catenary -- restore "$(ls -t "\${BACKUP_DIR:-data/backups}"/before-migration-*.catenary | head -1)" --resume-work`,
    'mv data/secret.key data/secret.key.wrong',
    'mv data/secret.key data/secret.key.lost',
    'NEW_SECRET_KEY=on npm run catenary -- start',
  ],
  'e2e/container.thorough.ts': ['docker compose up --build'],
  'e2e/release-files.thorough.ts': [
    'docker compose up --build',
    'docker compose --profile postgresql up --build',
    'docker compose -f compose.scale.yaml up --build',
  ],
  'e2e/scale-files.thorough.ts': [
    'docker compose -f compose.scale.yaml up --build',
    'haproxy -c -f /etc/haproxy/haproxy.cfg',
  ],
  'e2e/alert-rules.thorough.ts': [
    'promtool check rules deploy/prometheus/alerts.yml',
    'promtool test rules deploy/prometheus/alerts.test.yml',
  ],
  'e2e/two-roles.journey.ts': ['npm run catenary -- web', 'npm run catenary -- worker'],
  'e2e/live-text.scale.ts': [
    'ACL SETUSER catenary on >password resetchannels &catenary:* nocommands +publish +subscribe',
  ],
  'e2e/folder.thorough.ts': [
    'export CATENARY_URL=https://catenary.example.org',
    'export CATENARY_TOKEN=ctf_…',
    'catenary pull prompts-folder',
    'catenary pull prompts-folder --merge',
    'catenary push prompts-folder --dry-run',
    'catenary push prompts-folder --label candidate',
    'catenary diff prompts-folder --label production --check',
    'catenary evaluate --suite refund-reply/tone --label candidate --junit results.xml',
  ],
  'e2e/hooks.journey.ts': [
    'curl "$ADDRESS" --json \'{"action": "opened", "issue": {"title": "Sign-in fails"}}\'',
    'SIG=$(openssl dgst -sha256 -hmac "$SECRET" issue.json | cut -d\' \' -f2)',
    'curl "$ADDRESS" --json @issue.json -H "X-Hub-Signature-256: sha256=$SIG" -H "X-GitHub-Delivery: $(uuidgen)"',
  ],
  'apps/server/src/features/doors/mcp/mcp-skills.test.ts': [
    'curl -H "Authorization: Bearer $CATENARY_TOKEN" -o house-style.zip http://localhost:3000/api/skills/house-style.zip',
  ],
}

test('Each command of the README, CONTRIBUTING and the guide is run by a test, or was typed by hand.', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...files.map((file) => join('docs/guide', file))]
  const found = new Set(pages.flatMap((file) => commandsOf(read(file))))
  const shown = new Set([...BY_HAND, ...Object.values(SHOWN_BY).flat()])
  expect([...found].toSorted()).toEqual([...shown].toSorted())
  expect(Object.keys(SHOWN_BY).filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('commands are found in blocks, over several lines, without their comments', () => {
  const page = '```sh\nnpm start     # serves it\ncurl \\\n  -v x\n```\n\n```ini\nA=1\n```\n'
  expect(commandsOf(page)).toEqual(['npm start', 'curl    -v x'])
})
