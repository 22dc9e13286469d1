import type { Report } from './draft.ts'

const NAME = /^[A-Za-z0-9_]{1,50}$/
/** Two forms are written: double braces, and three where a value is not to be escaped. */
const BRACED = /\{\{\{?([^{}]{0,300})\}?\}\}/g
const CONTROL = /\{%[^%]{0,300}%\}|\{#[^#]{0,300}#\}/
const OWN = /\$<[A-Za-z0-9_]+>/
const SHOWN_MAX = 60

interface Converting {
  at: string
  report: Report
}

/** `{{name}}` as `$<name>`. What says more than a name stays as text, with a line in the report. */
export function convertReferences(text: string, { at, report }: Converting): string {
  if (OWN.test(text)) {
    report.lose(at, `${OWN.exec(text)?.[0]} stands in the text: here it is a variable`)
  }
  const left = new Set<string>()
  const converted = text.replace(BRACED, (whole, inner: string) => {
    const name = inner.trim().replace(/^-|-$/g, '').trim()
    if (NAME.test(name)) return `$<${name}>`
    const plain = plainName(name)
    if (plain === undefined) {
      left.add(whole)
      return whole
    }
    report.lose(at, `{{${clip(name)}}} is called ${plain} here: names are letters, digits and underscores`)
    return `$<${plain}>`
  })
  for (const whole of [...left].slice(0, 5)) {
    report.lose(at, `${clip(whole)} says more than a name: it stays as text`, whole)
  }
  const control = CONTROL.exec(converted)
  if (control) report.lose(at, `${clip(control[0])} is not run here: it stays as text`, control[0])
  return converted
}

/** `customer-name`, `customer.name` and `Customer name` as a name; undefined for an expression. */
function plainName(name: string): string | undefined {
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_ .-]*$/u.test(name)) return undefined
  const plain = name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ß', 'ss')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
  return NAME.test(plain) ? plain : undefined
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX - 1).toWellFormed()}…` : line
}
