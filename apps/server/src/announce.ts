import type { Instance } from '@catenary/contracts'
import type { Models } from './platform/models/models.ts'
import type { Settings } from './platform/settings/settings.ts'

interface Announcement {
  settings: Settings
  models: Models
  /** Where the server listens. */
  address: string
  registration: Instance['registration']
  /** It is a restored copy that does nothing by itself. */
  isQuiet?: boolean
}

const NEXT: Record<Instance['registration'], string> = {
  first: 'create an account: the first one is admin',
  open: 'log in, or create an account',
  closed: 'log in',
}

const QUIET: [string, string][] = [
  ['Quiet', 'this is a restored copy: no model is called, nothing is sent, no schedule or job runs.'],
  ['', 'Once it is to take over, start it with: catenary start --resume-work'],
]

/** What the person who started the program needs to know: where it is, where its data lies, which models answer. */
export function announce({ settings, models, address, registration, isQuiet = false }: Announcement): string {
  const url = settings.port === 0 ? address : settings.publicUrl
  const lines: [string, string][] = [
    ['Catenary', url],
    ['Data', settings.databaseUrl === undefined ? settings.dataDir : 'PostgreSQL (DATABASE_URL)'],
    ...(isQuiet ? QUIET : describeModels(models)),
    ['Next', `open ${url} and ${NEXT[registration]}`],
  ]
  return `\n${lines.map(([name, text]) => `  ${name.padEnd(10)}${text}`).join('\n')}\n\n`
}

function describeModels(models: Models): [string, string][] {
  const lines = models.describe().map(({ alias, configured, keyVariable, modelId }): [string, string] => {
    const state = configured ? modelId : `no key (set ${keyVariable})`
    return ['', `${alias.padEnd(8)}${state}`]
  })
  if (models.isSandbox()) lines.push(['', 'No model key is set: the sandbox answers, no model is called.'])
  return lines.map(([, text], index) => [index === 0 ? 'Models' : '', text])
}
