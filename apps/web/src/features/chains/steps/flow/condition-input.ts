import {
  CONDITION_OPS,
  type Comparison,
  type Condition,
  type ConditionOp,
  type InnerConditions,
} from '@catenary/contracts'
import { conditionText } from '@catenary/domain'
import * as z from 'zod'
import { newId } from '../../../../lib/new-id.ts'
import { numberProblem, plainNumberOf } from '../../../../lib/text/number-of.ts'

const join = z.enum(['all', 'any'])
export type Join = z.output<typeof join>

const comparisonInput = z.object({
  id: z.string(),
  ref: z.string(),
  op: z.enum(CONDITION_OPS),
  not: z.boolean(),
  value: z.string(),
  /** Of an operator that takes several. */
  values: z.array(z.string()),
})
export type ComparisonInput = z.output<typeof comparisonInput>

const groupInput = z.object({ id: z.string(), join, parts: z.array(comparisonInput) })
export type GroupInput = z.output<typeof groupInput>

/** A condition while it is being filled in, as a draft keeps it; null: always. */
export const conditionInput = z
  .object({ join, parts: z.array(z.union([comparisonInput, groupInput])) })
  .nullable()
  .default(null)
export type ConditionInput = z.output<typeof conditionInput>
type Part = ComparisonInput | GroupInput

export function newComparison(): ComparisonInput {
  return { id: newId(), ref: '', op: 'is', not: false, value: '', values: [] }
}

export function newGroup(): GroupInput {
  return { id: newId(), join: 'any', parts: [newComparison()] }
}

/** With another operator; what was compared with stays. */
export function withOp(
  row: ComparisonInput,
  { op, not }: { op: ConditionOp; not: boolean },
): ComparisonInput {
  const isList = op === 'is_one_of'
  if (isList === (row.op === 'is_one_of')) return { ...row, op, not }
  return isList
    ? { ...row, op, not, values: row.values.length > 0 ? row.values : [row.value] }
    : { ...row, op, not, value: row.value || (row.values[0] ?? '') }
}

export function conditionInputOf(condition: Condition | null | undefined): ConditionInput {
  if (!condition) return null
  const { join, parts } = partsOf(condition)
  return { join, parts: parts.map((part, index) => partInputOf(part, String(index))) }
}

function partInputOf(part: Comparison | InnerConditions, id: string): Part {
  if ('op' in part) return comparisonInputOf(part, id)
  const { join, parts } = partsOf(part)
  return { id, join, parts: parts.map((inner, index) => comparisonInputOf(inner, `${id}.${index}`)) }
}

function comparisonInputOf(comparison: Comparison, id: string): ComparisonInput {
  const { ref, op, not = false } = comparison
  return {
    id,
    ref,
    op,
    not,
    value: 'value' in comparison && typeof comparison.value === 'string' ? comparison.value : '',
    values: comparison.op === 'is_one_of' ? comparison.value : [],
  }
}

function partsOf<Inner>(group: { all: Inner[] } | { any: Inner[] }): { join: Join; parts: Inner[] } {
  return 'any' in group ? { join: 'any', parts: group.any } : { join: 'all', parts: group.all }
}

export function conditionOf(input: ConditionInput): Condition | null {
  return input && groupOf(input.join, input.parts.map(partOf))
}

/** What is there of it already, for the checks while it is filled in. */
export function readyConditionOf(input: ConditionInput): Condition | null {
  if (!input) return null
  const isNamed = ({ ref }: ComparisonInput) => ref.trim() !== ''
  const parts = input.parts.flatMap((part): Part[] => {
    if ('op' in part) return isNamed(part) ? [part] : []
    const inner = part.parts.filter(isNamed)
    return inner.length === 0 ? [] : [{ ...part, parts: inner }]
  })
  return parts.length === 0 ? null : conditionOf({ ...input, parts })
}

function partOf(part: Part): Comparison | InnerConditions {
  return 'op' in part ? comparisonOf(part) : groupOf(part.join, part.parts.map(comparisonOf))
}

function groupOf<Inner>(join: Join, parts: Inner[]): { all: Inner[] } | { any: Inner[] } {
  return join === 'any' ? { any: parts } : { all: parts }
}

function comparisonOf({ ref, op, not, value, values }: ComparisonInput): Comparison {
  const named = { ref: ref.trim(), ...(not && { not: true as const }) }
  if (op === 'is_empty') return { ...named, op }
  if (op === 'is_one_of') return { ...named, op, value: values }
  return { ...named, op, value: isOfNumbers(op) ? (plainNumberOf(value) ?? value) : value }
}

/** Looking at something else wherever it looks at a name. */
export function withName(input: ConditionInput, { name, by }: { name: string; by: string }): ConditionInput {
  const change = (row: ComparisonInput) =>
    row.ref.trim().toLowerCase() === name.toLowerCase() ? { ...row, ref: by } : row
  return (
    input && {
      ...input,
      parts: input.parts.map((part) =>
        'op' in part ? change(part) : { ...part, parts: part.parts.map(change) },
      ),
    }
  )
}

export function showCondition(input: ConditionInput): string {
  const condition = conditionOf(input)
  return condition ? `Only if ${conditionText(condition)}` : 'Always'
}

interface ComparisonProblem {
  field: 'ref' | 'value'
  message: string
}

const isOfNumbers = (op: ConditionOp): boolean => op === '>' || op === '<'

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

/** Why a comparison can't be saved; null: it can. */
export function comparisonProblem({ ref, op, value, values }: ComparisonInput): ComparisonProblem | null {
  if (ref.trim() === '') return { field: 'ref', message: 'Choose what to look at' }
  if (/[<>{}]/.test(ref)) return { field: 'ref', message: 'Write the name alone, such as triage.severity' }
  const problem = valueProblem({ op, value, values })
  return problem === null ? null : { field: 'value', message: problem }
}

function valueProblem({
  op,
  value,
  values,
}: Pick<ComparisonInput, 'op' | 'value' | 'values'>): string | null {
  if (op === 'is_empty') return null
  if (op === 'is_one_of') {
    return values.length === 0 || values.includes('') ? 'Write a value in each field' : null
  }
  if (value === '') return 'Write a value'
  if (isOfNumbers(op))
    return numberProblem(value) ?? (isNumber(value) ? null : 'Write a number, such as 20 or 0.5')
  return op === 'matches' && !isPattern(value) ? 'This is not a regular expression' : null
}

const isNumber = (text: string): boolean => NUMBER.test(plainNumberOf(text) ?? text)

function isPattern(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}

/** The condition as it may be saved. Each field says by itself what it lacks. */
export const conditionForm = conditionInput.unwrap().transform((input, context): Condition | null => {
  const rows = (input?.parts ?? []).flatMap((part) => ('op' in part ? [part] : part.parts))
  const problem = rows.map(comparisonProblem).find((found) => found !== null)
  if (problem === undefined) return conditionOf(input)
  context.addIssue({ code: 'custom', message: problem.message })
  return z.NEVER
})
