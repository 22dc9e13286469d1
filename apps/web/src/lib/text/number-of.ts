import * as z from 'zod'

const GROUPING = /(?<=\d)[\s\u00a0\u202f'’](?=\d{3}(?!\d))/g
const PLAIN = /^-?\d*(?:[.,]\d*)?$/
/** Thousands and, perhaps, decimals: `1,234.5` as well as `1.234,5`. */
const GROUPED = [/^-?[1-9]\d{0,2}(?:,\d{3})+\.\d*$/, /^-?[1-9]\d{0,2}(?:\.\d{3})+,\d*$/]
const ONLY_GROUPS = [/^-?[1-9]\d{0,2}(?:,\d{3}){2,}$/, /^-?[1-9]\d{0,2}(?:\.\d{3}){2,}$/]
/** One mark before three digits: half of the world writes thousands so, and the other half thousandths. */
const TWO_WAYS = /^-?[1-9]\d{0,2}[.,]\d{3}$/

/** The number that a text field holds, in the way of any country; null when it is left empty, NaN when it is none, or could be two. */
export function numberOf(text: string): number | null {
  if (text.trim() === '') return null
  const plain = plainNumberOf(text)
  return plain === undefined ? Number.NaN : Number(plain)
}

export function readyNumberOf(text: string): number | undefined {
  const number = numberOf(text)
  return number === null || Number.isNaN(number) ? undefined : number
}

export function numberProblem(text: string): string | undefined {
  const typed = tidy(text)
  if (!TWO_WAYS.test(typed)) return undefined
  const ways = [typed.replace(/[.,]/, ''), numberText(Number(typed.replace(',', '.')))]
  return `“${text.trim()}” can be read in two ways. Write ${ways.join(' or ')}`
}

export function numberText(number: number | null | undefined): string {
  if (number === null || number === undefined) return ''
  const text = number.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
  return TWO_WAYS.test(text) ? `${text}0` : text
}

export function plainNumberOf(text: string): string | undefined {
  const typed = tidy(text)
  if (!/\d/.test(typed) || TWO_WAYS.test(typed)) return undefined
  if (PLAIN.test(typed))
    return typed
      .replace(',', '.')
      .replace(/\.$/, '')
      .replace(/^(-?)\./, '$10.')
  if (ONLY_GROUPS.some((form) => form.test(typed))) return typed.replaceAll(/[.,]/g, '')
  if (!GROUPED.some((form) => form.test(typed))) return undefined
  const mark = typed.lastIndexOf('.') > typed.lastIndexOf(',') ? ',' : '.'
  return typed.replaceAll(mark, '').replace(',', '.').replace(/\.$/, '')
}

export const typedNumber = z.string().transform((text, context) => {
  const message = numberProblem(text)
  if (message === undefined) return numberOf(text)
  context.addIssue({ code: 'custom', message, input: text })
  return z.NEVER
})

export function numberProblems(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => {
      const problem = numberProblem(text)
      return problem === undefined ? [] : [[name, problem]]
    }),
  )
}

function tidy(text: string): string {
  return text.normalize('NFKC').trim().replace(/^[−–]/, '-').replace(/^\+/, '').replace(GROUPING, '')
}
