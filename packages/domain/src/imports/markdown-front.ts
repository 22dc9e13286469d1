import { type Fields, ImportError, isFields } from '../promptfoo/draft.ts'
import { readFile } from '../promptfoo/read-file.ts'
import type { Report } from './draft.ts'
import { tidy } from './tidy.ts'

const FRONT = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
/** A value that people write without quotes, and YAML reads as a mark of its own. */
const UNQUOTED =
  /^([ \t]*(?:-[ \t]+)?(?:[A-Za-z_][\w-]*:[ \t]+)?)([*@`%!&|>][^\s|>+-].*|[^\s"'[{#|>].*:[ \t].*)$/

export interface Front {
  fields: Fields
  body: string
}

export const hasFront = (text: string): boolean => FRONT.test(text)

export function readFront(
  text: string,
  { report, clean }: { report: Report; clean: (text: string) => string },
): Front {
  const front = FRONT.exec(text)
  const body = front ? text.slice(front[0].length) : text
  const source = front?.[1]
  if (source === undefined || source.trim() === '') return { fields: {}, body }
  const fields = tidy(readYaml(source, report), clean)
  if (isFields(fields)) return { fields, body }
  report.lose('front matter', 'It has no names, so it is kept as a note', fields)
  return { fields: {}, body }
}

function readYaml(source: string, report: Report): unknown {
  try {
    return readFile(source)
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const read = readAsWritten(source, report)
    if (read !== undefined) return read.value
    throw new ImportError(`Front matter: ${error.message}`)
  }
}

/** Once more with quotes around what people write without: `globs: *.ts`, `description: Use it: always`. */
function readAsWritten(source: string, report: Report): { value: unknown } | undefined {
  const quoted: string[] = []
  const lines = source.split(/\r?\n/).map((line) => {
    const [, head = '', value] = UNQUOTED.exec(line) ?? []
    if (value === undefined || (head.trim() === '' && !line.includes('- '))) return line
    // An anchor, or a tagged value, is not a text that lacks quotes.
    if (/^[&!]/.test(value)) return line
    quoted.push(value.trim())
    return `${head}${JSON.stringify(value.trim())}`
  })
  if (quoted.length === 0) return undefined
  try {
    const value = readFile(lines.join('\n'))
    for (const each of quoted)
      report.lose('front matter', 'It has no quotes, and is read as text', each, each)
    return { value }
  } catch {
    return undefined
  }
}
