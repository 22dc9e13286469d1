import { listSettings } from './settings-list.ts'
import { SETTING_GROUPS, SETTING_MEANINGS } from './settings-meanings.ts'

/** What each setting is where there is no `.env`, and nothing is set. */
const DEFAULTS: ReadonlyMap<string, string | null> = new Map(
  listSettings({ env: {}, directory: '/dev/null' }).map(({ name, value }) => [name, value]),
)

const COMMENT_WIDTH = 100

/** The file `.env.example`. */
export function exampleEnvironment(): string {
  const groups = SETTING_GROUPS.map(({ title, names }) => {
    const settings = names.map((name) => [
      ...comment(SETTING_MEANINGS[name]),
      `#${name}=${DEFAULTS.get(name) ?? ''}`,
    ])
    return [`## ${title}`, ...settings.map((lines) => lines.join('\n'))].join('\n\n')
  })
  const head = comment(
    'Written by `npm run guide` from the settings; docs/guide/settings.md shows them. Copy this file to `.env`, and remove the `#` before each setting that you change.',
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
