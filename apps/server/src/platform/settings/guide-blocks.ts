import { readFileSync } from 'node:fs'
import { type ApiExample, apiExamples, mcpExamples, promptExamples } from '@catenary/domain'
import { listSettings } from './settings-list.ts'
import { SETTING_GROUPS, SETTING_MEANINGS } from './settings-meanings.ts'

const BEGIN = '<!-- Written by `npm run guide`. -->'
const END = '<!-- Its end. -->'
const ADDRESS = 'http://localhost:3000'
const FENCES: Record<ApiExample['language'], string> = {
  Shell: 'sh',
  TypeScript: 'ts',
  Python: 'python',
  TOML: 'toml',
  JSON: 'json',
}

/** What each setting is where there is no `.env`, and nothing is set. */
const DEFAULTS: ReadonlyMap<string, string | null> = new Map(
  listSettings({ env: {}, directory: '/dev/null' }).map(({ name, value }) => [name, value]),
)

const proxies = [
  { name: 'nginx', file: 'nginx.conf' },
  { name: 'Caddy', file: 'Caddyfile' },
  { name: 'HAProxy', file: 'haproxy.cfg' },
]

export const GUIDE_BLOCKS: Readonly<Record<string, readonly (() => string)[]>> = {
  'settings.md': [settingsTables],
  'operate.md': [
    () => proxies.map(({ name, file }) => `### ${name}\n\n${fileBlock(`proxy/${file}`)}`).join('\n\n'),
    () => fileBlock('systemd/catenary.service'),
  ],
  'scale.md': [
    () => fileBlock('scale/haproxy-programs.cfg'),
    () => fileBlock('scale/patroni.yml'),
    () => fileBlock('scale/haproxy-postgresql.cfg'),
  ],
  'call-it-from-code.md': [
    () => exampleBlocks({ examples: mcpExamples({ address: ADDRESS }), of: ' over MCP' }),
    () => exampleBlocks({ examples: apiExamples({ address: ADDRESS, model: 'chain-7' }) }),
    () =>
      exampleBlocks({
        examples: promptExamples({ address: ADDRESS, name: 'welcome-letter', variables: ['customer'] }),
        of: ' for prompts',
      }),
  ],
}

export function withBlocks({ page, blocks }: { page: string; blocks: readonly (() => string)[] }): string {
  const [start = '', ...pieces] = page.split(BEGIN)
  if (pieces.length !== blocks.length) throw new Error(`The page has ${pieces.length} places for blocks.`)
  const filled = pieces.map((piece, index) => {
    const [, after = ''] = piece.split(END)
    return `${BEGIN}\n\n${blocks[index]?.()}\n\n${END}${after}`
  })
  return start + filled.join('')
}

const COMMENT_WIDTH = 100

export function exampleEnvironment(): string {
  const groups = SETTING_GROUPS.map(({ title, names }) => {
    const settings = names.map((name) => [
      ...comment(SETTING_MEANINGS[name]),
      `#${name}=${DEFAULTS.get(name) ?? ''}`,
    ])
    return [`## ${title}`, ...settings.map((lines) => lines.join('\n'))].join('\n\n')
  })
  const head = comment(
    'Written by `npm run guide` from the settings, as docs/guide/settings.md is. Copy this file to `.env`, and remove the `#` before each setting that you change.',
  )
  return `${[head.join('\n'), ...groups].join('\n\n')}\n`
}

function comment(sentence: string): string[] {
  const lines: string[] = []
  for (const word of sentence.split(' ')) {
    const line = `${lines.at(-1) ?? '#'} ${word}`
    if (lines.length > 0 && line.length <= COMMENT_WIDTH) lines[lines.length - 1] = line
    else lines.push(`# ${word}`)
  }
  return lines
}

/** A file of `deploy` as it is; in a clone alone, as is what asks for it. */
function fileBlock(name: string): string {
  const text = readFileSync(new URL(`../../../../../deploy/${name}`, import.meta.url), 'utf8')
  return [name.endsWith('.yml') ? '```yaml' : '```ini', text.trimEnd(), '```'].join('\n')
}

function settingsTables(): string {
  return SETTING_GROUPS.map(({ title, names }) => {
    const rows = names.map((name) => {
      const value = DEFAULTS.get(name)
      return `| \`${name}\` | ${value ? `\`${value}\`` : 'none'} | ${SETTING_MEANINGS[name]} |`
    })
    return [`## ${title}`, '', '| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
  }).join('\n\n')
}

function exampleBlocks({ examples, of = '' }: { examples: readonly ApiExample[]; of?: string }): string {
  const clients = [...new Set(examples.map(({ client }) => client))]
  return clients
    .map((client) => {
      const own = examples.filter((example) => example.client === client)
      const blocks = own.map(({ label, hint, language, code }) =>
        [
          hint === undefined ? `${label}:` : `${label}. ${hint}`,
          '',
          `\`\`\`${FENCES[language]}`,
          code,
          '```',
        ].join('\n'),
      )
      return [`### ${client}${of}`, ...blocks].join('\n\n')
    })
    .join('\n\n')
}
