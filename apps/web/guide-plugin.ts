import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { type ApiExample, apiExamples } from '../../packages/domain/src/api-examples.ts'
import { mcpExamples } from '../../packages/domain/src/mcp-examples.ts'
import { promptExamples } from '../../packages/domain/src/prompt-examples.ts'
import { PICTURE, readGuidePage } from './src/features/guide/read-guide.ts'

const GUIDE = /\/docs\/guide\/[\w-]+\.md$/
/** A line that leads to a file of a clone. */
const FILE = /^\[[^\]]+\]\((\.\.\/\.\.\/[\w./-]+)\)$/gm
const ADDRESS = 'http://localhost:3000'
const FENCES: Record<ApiExample['language'], string> = {
  Shell: 'sh',
  TypeScript: 'ts',
  Python: 'python',
  TOML: 'toml',
  JSON: 'json',
}

interface Snippets {
  examples: readonly ApiExample[]
  /** What tells their titles from those of others on the page. */
  of?: string
}

/** The snippets that a file makes. */
const SNIPPETS: Readonly<Record<string, Snippets>> = {
  'mcp-examples.ts': { examples: mcpExamples({ address: ADDRESS }) },
  'api-examples.ts': { examples: apiExamples({ address: ADDRESS, model: 'chain-7' }) },
  'prompt-examples.ts': {
    examples: promptExamples({ address: ADDRESS, name: 'welcome-letter', variables: ['customer'] }),
    of: ' for prompts',
  },
}

/** Makes a module of each page of the guide, laid out, with its pictures as files of the app. */
export function guidePages(): Plugin {
  return {
    name: 'catenary-guide',
    enforce: 'pre',
    transform(source, id) {
      if (!GUIDE.test(id)) return undefined
      const folder = dirname(id)
      for (const [, path = ''] of source.matchAll(FILE)) this.addWatchFile(join(folder, path))
      const pictures: string[] = []
      const page = JSON.stringify(readGuidePage(withFiles({ markdown: source, folder }))).replaceAll(
        new RegExp(`"${PICTURE}([^"]+)"`, 'g'),
        (_, file: string) => `picture${pictures.push(join(folder, file)) - 1}`,
      )
      const imports = pictures.map((file, index) => `import picture${index} from ${JSON.stringify(file)}\n`)
      return { code: `${imports.join('')}export default ${page}`, map: null }
    },
  }
}

/** A page that shows what is in the files to which it leads: the app has no clone beside it. */
export function withFiles({ markdown, folder }: { markdown: string; folder: string }): string {
  return markdown.replaceAll(FILE, (_, path: string) => {
    const snippets = SNIPPETS[basename(path)]
    if (snippets) return snippetsOf(snippets)
    const text = readFileSync(join(folder, path), 'utf8').trimEnd()
    if (path.endsWith('.env.example')) return settingsTables(text)
    return [path.endsWith('.yml') ? '```yaml' : '```ini', text, '```'].join('\n')
  })
}

function snippetsOf({ examples, of = '' }: Snippets): string {
  const clients = [...new Set(examples.map(({ client }) => client))]
  return clients
    .map((client) => {
      const own = examples.filter((example) => example.client === client)
      return [`### ${client}${of}`, ...own.map(blockOf)].join('\n\n')
    })
    .join('\n\n')
}

function blockOf({ label, hint, language, code }: ApiExample): string {
  const intro = hint === undefined ? `${label}:` : `${label}. ${hint}`
  return [intro, '', `\`\`\`${FENCES[language]}`, code, '```'].join('\n')
}

/** A table for each part of `.env.example`. */
function settingsTables(text: string): string {
  const parts = text.split(/^## /m).slice(1)
  return parts
    .map((part) => {
      const [title, ...settings] = part.trim().split('\n\n')
      const head = [`## ${title}`, '', '| setting | default | meaning |', '| --- | --- | --- |']
      return [...head, ...settings.map(settingRow)].join('\n')
    })
    .join('\n\n')
}

function settingRow(setting: string): string {
  const lines = setting.split('\n')
  const [, name, value = ''] = /^#(\w+)=(.*)$/.exec(lines.at(-1) ?? '') ?? []
  const meaning = lines.slice(0, -1).map((line) => line.replace(/^# /, ''))
  return `| \`${name}\` | ${value === '' ? 'none' : `\`${value}\``} | ${meaning.join(' ')} |`
}
