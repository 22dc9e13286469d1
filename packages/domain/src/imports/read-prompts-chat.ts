import { parse } from 'csv-parse/sync'
import { type ForeignPrompt, isEmpty, type Report, textOf, titleFromText, toTitle } from './draft.ts'

/*
 * The table of prompts.chat (`prompts.csv` of f/awesome-chatgpt-prompts): act, prompt, and since 2025 also
 * for_devs, type, contributor. Its texts write what changes as `${name}` or `${name:value}`.
 */
const VARIABLE = /\$\{([^${}:\n]{1,80})(?::([^{}\n]{0,200}))?\}/g

/** Whether the first line names these columns. */
export function isPromptsChat(text: string): boolean {
  const [head = ''] = text.replace(/^\ufeff/, '').split('\n', 1)
  const names = head.split(',').map((name) => name.trim().replace(/^"|"$/g, '').toLowerCase())
  return names.includes('act') && names.includes('prompt')
}

/** Throws what the reader of tables says. */
export function readPromptsChat(text: string, report: Report): ForeignPrompt[] {
  const rows = parse<{ record: Record<string, string>; info: { lines: number } }>(text, {
    columns: (header: string[]) => header.map((name) => name.trim().toLowerCase()),
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count_less: true,
  })
  return rows.flatMap(({ record, info: { lines } }) => {
    const { act, prompt, type, for_devs: forDevs, contributor, ...others } = record
    const at = `line ${lines}`
    const source = textOf(prompt)
    if (source === undefined) {
      report.lose(at, 'It has no text of a prompt', record)
      return []
    }
    const content = source.replace(VARIABLE, (_, name: string, value?: string) => {
      const plain = name
        .trim()
        .replace(/[^A-Za-z0-9]+/g, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 50)
      if (plain === '') return _
      if (value !== undefined) report.lose(at, `The usual value of ${plain} is kept as a note`, value)
      return `$<${plain}>`
    })
    if (textOf(type) !== undefined && type?.trim().toUpperCase() !== 'TEXT') {
      report.lose(at, `It asks for ${type?.trim().slice(0, 40)}: here it asks for a text`, type)
    }
    for (const [name, value] of Object.entries(others)) {
      if (!isEmpty(value)) report.lose(at, `${name.slice(0, 40)} is kept as a note`, value)
    }
    return [
      {
        at,
        title: toTitle(textOf(act) ?? titleFromText(content)),
        content,
        settings: {},
        tags: forDevs?.trim().toUpperCase() === 'TRUE' ? ['for devs'] : [],
        note: `From prompts.chat${textOf(contributor) === undefined ? '' : `, by ${toTitle(contributor ?? '').slice(0, 100)}`}`,
      },
    ]
  })
}
