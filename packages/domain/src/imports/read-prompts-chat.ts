import { readTable } from '../promptfoo/read-table.ts'
import {
  type ForeignPrompt,
  isEmpty,
  NO_TEXT,
  type Report,
  textOf,
  titleFromText,
  toTitle,
  within,
} from './draft.ts'
import { convertOwn } from './references.ts'
import { createNames, type Names } from './texts/names.ts'
import { clipPiece, type Edit, type SameName } from './texts/text-edits.ts'

/*
 * The table of prompts.chat (`prompts.csv` of f/awesome-chatgpt-prompts): act, prompt, and since 2025 also
 * for_devs, type, contributor. Its texts write what changes as `${name}` or `${name:value}`.
 */
const VARIABLE = /\$\{([^${}:\n]{1,80})(?::([^{}\n]{0,200}))?\}/g
const CONTRIBUTOR_MAX = 100

export function isPromptsChat(columns: readonly string[]): boolean {
  const names = columns.map((name) => name.toLowerCase())
  return names.includes('act') && names.includes('prompt')
}

export function readPromptsChat(text: string, report: Report): ForeignPrompt[] {
  return readTable(text).flatMap(({ line, cells }) => {
    const record = Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name.toLowerCase(), cell]))
    const { act, prompt, type, for_devs: forDevs, contributor, ...others } = record
    const at = `line ${line}`
    const source = textOf(prompt)
    if (source === undefined) {
      report.lose(at, NO_TEXT, record)
      return []
    }
    const names = createNames([source])
    const content = convertOwn(source, findVariables(source, names), { at: within(at, 'prompt'), report })
    if (textOf(type) !== undefined && type?.trim().toUpperCase() !== 'TEXT') {
      report.lose(at, `It asks for ${type?.trim().slice(0, 40)}; here it asks for text`, type)
    }
    if (textOf(forDevs) !== undefined && !/^(TRUE|FALSE)$/i.test(forDevs?.trim() ?? ''))
      report.lose(at, 'for_devs is kept as a note', forDevs)
    for (const [name, value] of Object.entries(others)) {
      if (!isEmpty(value)) report.lose(at, `${name.slice(0, 40)} is kept as a note`, value)
    }
    if ((contributor?.length ?? 0) > CONTRIBUTOR_MAX)
      report.lose(at, 'The contributor is kept as a note', contributor)
    const by =
      textOf(contributor) === undefined ? '' : `, by ${toTitle(contributor ?? '').slice(0, CONTRIBUTOR_MAX)}`
    return [
      {
        at,
        title: textOf(act) ?? titleFromText(content),
        content,
        settings: {},
        tags: forDevs?.trim().toUpperCase() === 'TRUE' ? ['for devs'] : [],
        note: `From prompts.chat${by}`,
      },
    ]
  })
}

function findVariables(source: string, names: Names): (Edit | SameName)[] {
  return [...source.matchAll(VARIABLE)].map(({ 0: piece, 1: foreign = '', 2: value, index }) => {
    const place = { start: index, end: index + piece.length }
    const shown = clipPiece(piece)
    const inner = foreign.trim()
    const isName = /^[A-Za-z0-9_]{1,50}$/.test(inner)
    const name = isName ? inner : names.of(inner)?.name
    if (isName && value === undefined) return { ...place, sameName: inner }
    if (name === undefined) return { ...place, is: piece, reason: `${shown} has no name: it stays as text` }
    const usual = value === undefined ? '' : `; its default value is kept as a note`
    return { ...place, is: `$<${name}>`, reason: `${shown} is a variable here: ${name}${usual}` }
  })
}
