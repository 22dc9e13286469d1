import {
  ASSERT_SET,
  ASSERTION_KINDS,
  type Assertion,
  assertion as assertionSchema,
  type NotRunItem,
  type PlainAssertion,
} from '@catenary/contracts'
import { canFill } from '../assertions/judge-request.ts'
import { type Fields, isFields, keep } from './draft.ts'
import { fromTemplate, isFileReference } from './templates.ts'

/** An assertion of a file runs, or is only kept; of one that runs, a part may be only kept. */
export interface ReadAssertion {
  assertion: Assertion | null
  notRun: NotRunItem[]
}

export interface AssertionContext {
  path: NotRunItem['path']
  /** The judge's prompt that the test has for all of its assertions. */
  rubricPrompt?: unknown
}

const RUNS_CODE = new Set(['javascript', 'python', 'ruby'])
const SAME = new Map([['model-graded-factuality', 'factuality']])
const READ_FIELDS = ['type', 'value', 'threshold', 'weight', 'metric', 'assert', 'rubricPrompt', 'transform']
/** Fields that change the answer before it is examined. */
const CHANGES_ANSWER = ['transform', 'contextTransform']

export function readAssertion(raw: unknown, { path, rubricPrompt }: AssertionContext): ReadAssertion {
  const refuse = (reason: string): ReadAssertion => ({ assertion: null, notRun: [keep(path, raw, reason)] })
  if (!isFields(raw) || typeof raw.type !== 'string') return refuse('It is not an assertion')
  const inSet = raw.type === ASSERT_SET ? readSet(raw, { path, rubricPrompt }) : undefined
  if (inSet !== undefined && inSet.assert.length === 0) return refuse('None of the set can run here')
  try {
    const fields = inSet
      ? { assert: inSet.assert, type: ASSERT_SET }
      : readPlain({ ...raw, type: raw.type }, rubricPrompt)
    const candidate = { ...fields, ...readWeighing(raw) }
    const read = assertionSchema.safeParse(candidate)
    if (!read.success) return refuse(issueText(read.error.issues[0]))
    return { assertion: read.data, notRun: [...(inSet?.notRun ?? []), ...readRest(raw, path)] }
  } catch (error) {
    if (error instanceof NotRunnable) return refuse(error.message)
    throw error
  }
}

class NotRunnable extends Error {}

function readSet(raw: Fields, { path, rubricPrompt }: AssertionContext) {
  const list = Array.isArray(raw.assert) ? raw.assert : []
  const read = list.map((each, index) =>
    readAssertion(each, { path: [...path, 'assert', index], rubricPrompt }),
  )
  return {
    assert: read.flatMap(({ assertion }) => assertion ?? []) as PlainAssertion[],
    notRun: read.flatMap(({ notRun }) => notRun),
  }
}

function readPlain(raw: Fields & { type: string }, rubricPrompt: unknown): Fields {
  const isNot = raw.type.startsWith('not-')
  const named = isNot ? raw.type.slice(4) : raw.type
  const kind = SAME.get(named) ?? named
  if (!Object.hasOwn(ASSERTION_KINDS, kind)) throw new NotRunnable(whyNotKind(named))
  const path = readTransform(raw.transform)
  for (const field of CHANGES_ANSWER) {
    if (raw[field] !== undefined && !(field === 'transform' && path !== undefined))
      throw new NotRunnable('Code changes the answer first, which is not supported here')
  }
  if ([raw.value].flat().some(isFileReference)) throw new NotRunnable('Other files are not supported here')
  const isJudged = 'isJudged' in ASSERTION_KINDS[kind as keyof typeof ASSERTION_KINDS]
  const words = isJudged ? readRubricPrompt(raw.rubricPrompt ?? rubricPrompt) : undefined
  return {
    type: isNot ? `not-${kind}` : kind,
    ...(raw.value !== undefined && { value: readValue(raw.value) }),
    ...(words !== undefined && { rubricPrompt: words }),
    ...(path !== undefined && { path }),
  }
}

/** The field that it takes of an answer in JSON, where it does nothing else. */
function readTransform(transform: unknown): string | undefined {
  if (typeof transform !== 'string') return undefined
  return /^\s*(?:output|JSON\.parse\(output\))\.([\w.[\]]+)\s*$/.exec(transform)?.[1]
}

function whyNotKind(kind: string): string {
  if (RUNS_CODE.has(kind)) return 'It runs code, which is not supported here'
  if (kind === 'webhook') return 'It calls another server, which is not supported here'
  return `“${kind}” assertions are not supported here`
}

function readValue(value: unknown): unknown {
  if (typeof value === 'string') return readTemplate(value)
  return Array.isArray(value)
    ? value.map((each) => (typeof each === 'string' ? readTemplate(each) : each))
    : value
}

function readTemplate(text: string): string {
  const converted = fromTemplate(text)
  if (converted === undefined) throw new NotRunnable('Its template is more than a name')
  return converted
}

function readRubricPrompt(prompt: unknown): string | undefined {
  if (prompt === undefined || prompt === '') return undefined
  if (isFileReference(prompt)) throw new NotRunnable('Other files are not supported here')
  const text = typeof prompt === 'string' ? prompt : JSON.stringify(prompt)
  if (!canFill(text)) throw new NotRunnable('Its judge’s prompt has more than names')
  return text
}

function readWeighing({ threshold, weight, metric }: Fields): Fields {
  const limit = typeof threshold === 'string' && threshold.trim() !== '' ? Number(threshold) : threshold
  return {
    ...(limit !== undefined && { threshold: limit }),
    ...(weight !== undefined && { weight }),
    ...(metric !== undefined && { metric: typeof metric === 'string' ? readTemplate(metric) : metric }),
  }
}

function readRest(raw: Fields, path: NotRunItem['path']): NotRunItem[] {
  const rest = Object.entries(raw).filter(([field]) => !READ_FIELDS.includes(field))
  return rest.map(([field, value]) =>
    keep(
      [...path, field],
      value,
      field === 'provider' ? 'The judge is chosen when an evaluation starts' : null,
    ),
  )
}

function issueText(issue: { message: string; path: PropertyKey[] } | undefined): string {
  if (issue === undefined) return 'It is not an assertion'
  const where = issue.path.filter((part) => typeof part === 'string').join('.')
  return where === '' ? issue.message : `${where}: ${issue.message}`
}
