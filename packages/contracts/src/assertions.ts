import * as z from 'zod'
import { jsonValue } from './json-value.ts'

/** Assertions of a case, those inside of sets too. */
export const ASSERTIONS_MAX = 50
export const ASSERTION_TEXT_MAX = 100_000
export const ASSERTION_LIST_MAX = 500
const METRIC_MAX = 100
export const DEFAULT_DISTANCE = 5
export const PATTERN_LIMIT_MS = 100

const text = z
  .string()
  .max(ASSERTION_TEXT_MAX, `At most ${ASSERTION_TEXT_MAX.toLocaleString('en')} characters`)
const filledText = text.min(1, 'Required')
const word = z.union([filledText, z.number()])
const words = z
  .union([
    filledText,
    z
      .array(z.union([text, z.number()]))
      .min(1, 'Name at least one')
      .max(ASSERTION_LIST_MAX),
  ])
  .describe('A list, or one text separated by commas.')
const json = jsonValue
  .refine((value) => value !== null, 'Required')
  .refine(
    (value) => JSON.stringify(value).length <= ASSERTION_TEXT_MAX,
    `At most ${ASSERTION_TEXT_MAX.toLocaleString('en')} characters`,
  )
const schema = z
  .union([text, z.record(z.string(), jsonValue)])
  .optional()
  .describe('A JSON schema, or its YAML; none: any JSON passes.')
const PATH_MAX = 200
const path = z
  .string()
  .max(PATH_MAX, `At most ${PATH_MAX} characters`)
  .regex(/^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+|\[\d{1,6}\])*$/, 'Write it as items[0].title')
  .optional()
  .describe('Field of a JSON answer to check, such as items[0].title; absent: the whole answer.')
const count = z.number().min(0)
const wordCount = z
  .union([
    count,
    z.string().regex(/^\s*\d+\s*$/, 'Must be a number'),
    z
      .strictObject({
        min: count.optional().describe('Minimum words.'),
        max: count.optional().describe('Maximum words.'),
      })
      .refine(({ min, max }) => min !== undefined || max !== undefined, 'Set a minimum, a maximum or both')
      .refine(
        ({ min, max }) => (min ?? 0) <= (max ?? Number.POSITIVE_INFINITY),
        'The minimum is above the maximum',
      ),
  ])
  .describe('A number of words, or a minimum and a maximum.')
const rubricPrompt = text
  .optional()
  .describe('Prompt for the judge instead of the default one: a text, or messages as JSON.')

export const judgeMessages = z
  .array(
    z.object({
      role: z.enum(['system', 'user', 'assistant']).describe('Role of the message’s author.'),
      content: z.string().describe('Text of the message.'),
    }),
  )
  .min(1)
export type JudgeMessage = z.infer<typeof judgeMessages>[number]

const limit = (unit: string) => z.number().min(0, 'Must be 0 or more').describe(`Maximum, in ${unit}.`)

interface Kind {
  shape: z.core.$ZodShape
  field:
    | 'text'
    | 'word'
    | 'words'
    | 'json'
    | 'schema'
    | 'limit'
    | 'distance'
    | 'count'
    | 'reason'
    | 'rubric'
    | 'set'
  /** Has no `not-`. */
  onlyPlain?: true
  isJudged?: true
}

/** Every kind that runs here, under promptfoo's name and with its fields and meaning (D49). */
export const ASSERTION_KINDS = {
  equals: {
    shape: { value: json.describe('The whole answer; an object or list is compared as JSON.'), path },
    field: 'json',
  },
  contains: { shape: { value: word.describe('Text that the answer must contain.'), path }, field: 'word' },
  icontains: {
    shape: { value: word.describe('Text that the answer must contain, ignoring case.'), path },
    field: 'word',
  },
  'contains-any': { shape: { value: words, path }, field: 'words' },
  'contains-all': { shape: { value: words, path }, field: 'words' },
  'icontains-any': { shape: { value: words, path }, field: 'words' },
  'icontains-all': { shape: { value: words, path }, field: 'words' },
  'starts-with': {
    shape: { value: filledText.describe('Text that the answer must start with.'), path },
    field: 'text',
  },
  regex: {
    shape: { value: filledText.describe('A JavaScript regular expression, without flags.'), path },
    field: 'text',
  },
  'is-json': { shape: { value: schema, path }, field: 'schema' },
  'contains-json': { shape: { value: schema }, field: 'schema' },
  levenshtein: {
    shape: {
      value: text.describe('Text that the answer must be similar to.'),
      path,
      threshold: limit(`changed characters; ${DEFAULT_DISTANCE} by default`).optional(),
    },
    field: 'distance',
  },
  latency: { shape: { threshold: limit('milliseconds') }, field: 'limit' },
  cost: { shape: { threshold: limit('US dollars') }, field: 'limit' },
  'word-count': { shape: { value: wordCount, path }, field: 'count' },
  'finish-reason': {
    shape: { value: filledText.describe('stop, length, content_filter or tool_calls.') },
    field: 'reason',
  },
  'llm-rubric': {
    shape: {
      value: z
        .union([text, z.record(z.string(), jsonValue)])
        .optional()
        .describe('What must be true of the answer.'),
      rubricPrompt,
    },
    field: 'rubric',
    isJudged: true,
  },
  factuality: {
    shape: { value: filledText.describe('The facts that the answer must agree with.'), rubricPrompt },
    field: 'rubric',
    isJudged: true,
  },
  'select-best': {
    shape: {
      value: filledText.describe('Criteria by which the best answer of all targets is chosen.'),
      rubricPrompt,
    },
    field: 'rubric',
    isJudged: true,
    onlyPlain: true,
  },
} as const satisfies Record<string, Kind>

export type AssertionKind = keyof typeof ASSERTION_KINDS
export const ASSERTION_KIND_NAMES = Object.keys(ASSERTION_KINDS) as AssertionKind[]
export const ASSERT_SET = 'assert-set'

const weighing = {
  weight: z
    .number()
    .min(0, 'Must be 0 or more')
    .max(1_000_000)
    .optional()
    .describe('Weight of its score; default 1. With 0 it always passes.'),
  metric: z.string().max(METRIC_MAX).optional().describe('Name of the metric that its score counts toward.'),
}
const common = {
  threshold: z.number().optional().describe('Pass threshold, for types that have one.'),
  ...weighing,
}

type TypeOf<Name extends AssertionKind> = (typeof ASSERTION_KINDS)[Name] extends { onlyPlain: true }
  ? Name
  : Name | `not-${Name}`
type FieldsOf<Shape extends z.core.$ZodShape> = z.output<z.ZodObject<Shape>>
interface Weighing {
  threshold?: number | undefined
  weight?: number | undefined
  metric?: string | undefined
}
export type AssertionOf<Name extends AssertionKind> = Name extends AssertionKind
  ? { type: TypeOf<Name> } & FieldsOf<(typeof ASSERTION_KINDS)[Name]['shape']> & Weighing
  : never
export type PlainAssertion = AssertionOf<AssertionKind>
export type AssertionType = PlainAssertion['type']

const options = ASSERTION_KIND_NAMES.map((name) => {
  const kind: Kind = ASSERTION_KINDS[name]
  const types: [string, ...string[]] = kind.onlyPlain ? [name] : [name, `not-${name}`]
  return z.strictObject({
    type: z.enum(types).describe('Type, named as in promptfoo.'),
    ...common,
    ...kind.shape,
  })
})
type Options = [(typeof options)[0]]
/** The union is made from the table, which its type follows. */
const plainAssertion = z.discriminatedUnion('type', options as Options) as unknown as z.ZodType<
  PlainAssertion,
  PlainAssertion
>

export interface AssertSet extends Weighing {
  type: typeof ASSERT_SET
  assert: PlainAssertion[]
}
const assertSet = z.strictObject({
  type: z.enum([ASSERT_SET]).describe('A set: several assertions that count as one.'),
  assert: z
    .array(plainAssertion)
    .min(1, 'A set needs an assertion')
    .max(ASSERTIONS_MAX)
    .describe('Assertions of the set.'),
  ...common,
})

export type Assertion = PlainAssertion | AssertSet
export const assertion = z.discriminatedUnion('type', [
  ...(options as Options),
  assertSet,
]) as unknown as z.ZodType<Assertion, Assertion>

export function readAssertionType(type: AssertionType): { kind: AssertionKind; isNot: boolean } {
  const isNot = type.startsWith('not-')
  return { kind: (isNot ? type.slice(4) : type) as AssertionKind, isNot }
}

export function flattenAssertions(assertions: readonly Assertion[]): PlainAssertion[] {
  return assertions.flatMap((each) => (each.type === ASSERT_SET ? each.assert : [each]))
}

const assertionResultFields = {
  type: z.string().describe('Copied from the assertion.'),
  passed: z.boolean().nullable().describe('null: the assertion was not run.'),
  score: z.number().describe('0 to 1, unless a judge gave another number.'),
  reason: z.string().describe('Why it passed, failed or was not run.'),
  weight: z.number().describe('Weight of its score.'),
  metric: z.string().nullable().describe('Name of the metric that its score counts toward.'),
}

export const assertionResult = z.object({
  ...assertionResultFields,
  results: z.array(z.object(assertionResultFields)).optional().describe('Results of a set’s assertions.'),
})
export type AssertionResult = z.infer<typeof assertionResult>

export const VERDICTS = ['passed', 'failed', 'not-run'] as const

export const caseGrade = z.object({
  verdict: z
    .enum(VERDICTS)
    .describe('not-run: none of its assertions can run here, so it counts as neither passed nor failed.'),
  score: z.number().describe('The weighted mean of its assertions’ scores.'),
  reason: z.string().describe('Reason, in one line.'),
  metrics: z.record(z.string(), z.number()).describe('The weighted mean of each metric.'),
  results: z.array(assertionResult).describe('In the order of the assertions.'),
  notRun: z.int().describe('How many of its assertions can’t run here.'),
})
export type CaseGrade = z.infer<typeof caseGrade>
