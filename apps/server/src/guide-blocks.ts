import { readFileSync } from 'node:fs'
import { type ApiExample, apiExamples, promptExamples } from '@catenary/domain'
import { listSettings } from './settings-list.ts'
import { SETTING_GROUPS, SETTING_MEANINGS } from './settings-meanings.ts'

/** What stands in the guide's pages between these is made of the code. */
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

const proxies = [
  { name: 'nginx', file: 'nginx.conf' },
  { name: 'Caddy', file: 'Caddyfile' },
  { name: 'HAProxy', file: 'haproxy.cfg' },
]

/** The pages that have such blocks, each with what they are, in their order. */
export const GUIDE_BLOCKS: Readonly<Record<string, readonly (() => string)[]>> = {
  'settings.md': [settingsTables],
  'operate.md': [
    () => proxies.map(({ name, file }) => `### ${name}\n\n${fileBlock(`proxy/${file}`)}`).join('\n\n'),
    () => fileBlock('systemd/catenary.service'),
  ],
  'call-it-from-code.md': [
    () => exampleBlocks({ examples: apiExamples({ address: ADDRESS, model: 'chain-7' }) }),
    () =>
      exampleBlocks({
        examples: promptExamples({ address: ADDRESS, name: 'welcome-letter', variables: ['customer'] }),
        of: ' for prompts',
      }),
  ],
}

/** A page of the guide with its blocks as the code has them now. */
export function withBlocks({ page, blocks }: { page: string; blocks: readonly (() => string)[] }): string {
  const [start = '', ...pieces] = page.split(BEGIN)
  if (pieces.length !== blocks.length) throw new Error(`The page has ${pieces.length} places for blocks.`)
  const filled = pieces.map((piece, index) => {
    const [, after = ''] = piece.split(END)
    return `${BEGIN}\n\n${blocks[index]?.()}\n\n${END}${after}`
  })
  return start + filled.join('')
}

/** A file of `deploy` as it is; in a clone alone, as is what asks for it. */
function fileBlock(name: string): string {
  const text = readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8')
  return ['```ini', text.trimEnd(), '```'].join('\n')
}

function settingsTables(): string {
  // Where there is no `.env`, and nothing is set.
  const defaults = new Map(
    listSettings({ env: {}, directory: '/dev/null' }).map(({ name, value }) => [name, value]),
  )
  return SETTING_GROUPS.map(({ title, names }) => {
    const rows = names.map((name) => {
      const value = defaults.get(name)
      return `| \`${name}\` | ${value ? `\`${value}\`` : 'none'} | ${SETTING_MEANINGS[name]} |`
    })
    return [`## ${title}`, '', '| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
  }).join('\n\n')
}

/** A heading a client, unlike all others of the page, and what its programs write. */
function exampleBlocks({ examples, of = '' }: { examples: readonly ApiExample[]; of?: string }): string {
  const clients = [...new Set(examples.map(({ client }) => client))]
  return clients
    .map((client) => {
      const own = examples.filter((example) => example.client === client)
      const blocks = own.map(({ label, language, code }) =>
        [`${label}:`, '', `\`\`\`${FENCES[language]}`, code, '```'].join('\n'),
      )
      return [`### ${client}${of}`, ...blocks].join('\n\n')
    })
    .join('\n\n')
}
