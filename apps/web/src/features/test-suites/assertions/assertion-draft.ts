import {
  ASSERT_SET,
  ASSERTION_KINDS,
  type Assertion,
  type AssertionKind,
  assertion as assertionSchema,
  readAssertionType,
} from '@catenary/contracts'
import { JUDGE_PROMPTS } from '@catenary/domain'
import { numberOf, numberProblems, numberText } from '../../../lib/text/number-of.ts'

export interface AssertionDraft {
  key: number
  kind: AssertionKind | typeof ASSERT_SET
  isNot: boolean
  /** A list has a line an entry. */
  value: string
  path: string
  min: string
  max: string
  threshold: string
  weight: string
  metric: string
  /** Empty: the usual words. */
  rubricPrompt: string
  assert: AssertionDraft[]
}

let lastKey = 0

export function newDraft(kind: AssertionDraft['kind']): AssertionDraft {
  lastKey += 1
  return {
    key: lastKey,
    kind,
    isNot: false,
    value: kind === 'finish-reason' ? 'stop' : '',
    path: '',
    min: '',
    max: '',
    threshold: '',
    weight: '',
    metric: '',
    rubricPrompt: '',
    assert: kind === ASSERT_SET ? [newDraft('icontains')] : [],
  }
}

export function toDraft(assertion: Assertion): AssertionDraft {
  const { threshold, weight, metric = '' } = assertion
  const shared = { threshold: textOf(threshold), weight: textOf(weight), metric }
  if (assertion.type === ASSERT_SET) {
    return { ...newDraft(ASSERT_SET), ...shared, assert: assertion.assert.map(toDraft) }
  }
  const { kind, isNot } = readAssertionType(assertion.type)
  const value = 'value' in assertion ? assertion.value : undefined
  const rubricPrompt = ('rubricPrompt' in assertion && assertion.rubricPrompt) || ''
  const path = ('path' in assertion && assertion.path) || ''
  return { ...newDraft(kind), ...shared, isNot, path, rubricPrompt, ...valueToText(kind, value) }
}

export function takesPath(kind: AssertionDraft['kind']): boolean {
  return kind !== ASSERT_SET && 'path' in ASSERTION_KINDS[kind].shape
}

function valueToText(kind: AssertionKind, value: unknown): Partial<AssertionDraft> {
  if (kind === 'word-count') {
    const isRange = typeof value === 'object' && value !== null
    const { min, max } = (isRange ? value : { min: value, max: value }) as { min?: unknown; max?: unknown }
    return { min: textOf(min), max: textOf(max) }
  }
  if (Array.isArray(value) && ASSERTION_KINDS[kind].field === 'words') return { value: value.join('\n') }
  if (typeof value === 'string' && ASSERTION_KINDS[kind].field === 'words') {
    return { value: value.split(/\s*,\s*/).join('\n') }
  }
  return { value: textOf(value) }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return numberText(value)
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

export function readDraft(draft: AssertionDraft): { assertion: Assertion } | { problem: string } {
  const problem = problemOf(draft)
  if (problem !== undefined) return { problem }
  const read = assertionSchema.safeParse(toInput(draft))
  if (read.success) return { assertion: read.data }
  const issue = read.error.issues[0]
  return { problem: issue?.message === 'Required' || issue === undefined ? 'Fill this in' : issue.message }
}

function problemOf({ min, max, threshold, weight, assert }: AssertionDraft): string | undefined {
  return (
    Object.values(numberProblems({ min, max, threshold, weight }))[0] ?? assert.map(problemOf).find(Boolean)
  )
}

function toInput(draft: AssertionDraft): object {
  const { kind, isNot, threshold, weight, metric } = draft
  const shared = {
    ...(threshold.trim() !== '' && { threshold: numberOf(threshold) }),
    ...(weight.trim() !== '' && { weight: numberOf(weight) }),
    ...(metric.trim() !== '' && { metric: metric.trim() }),
  }
  if (kind === ASSERT_SET) return { type: kind, assert: draft.assert.map(toInput), ...shared }
  const { rubricPrompt } = draft
  const path = takesPath(kind) ? draft.path.trim() : ''
  const isOwn = kind in JUDGE_PROMPTS && rubricPrompt.trim() !== ''
  const value = valueFrom(kind, draft)
  return {
    type: isNot ? `not-${kind}` : kind,
    ...(value !== undefined && { value }),
    ...(path !== '' && { path }),
    ...(isOwn && { rubricPrompt }),
    ...shared,
  }
}

function valueFrom(kind: AssertionKind, { value, min, max }: AssertionDraft): unknown {
  switch (ASSERTION_KINDS[kind].field) {
    case 'words':
      return value.split('\n').filter((line) => line.trim() !== '')
    case 'json':
      return value === '' ? undefined : (parseObject(value) ?? value)
    case 'schema':
      return value.trim() === '' ? undefined : (parseObject(value) ?? value)
    case 'count':
      return {
        ...(min.trim() !== '' && { min: numberOf(min) }),
        ...(max.trim() !== '' && { max: numberOf(max) }),
      }
    case 'limit':
      return undefined
    default:
      return value
  }
}

function parseObject(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}
