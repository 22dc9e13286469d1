import * as z from 'zod'
import { type StepAsk, stepAsk } from '../asks/step-ask.ts'

/** What a step does. `prompt` is the document's: it asks a model. */
export const STEP_KINDS = ['prompt', 'ask', 'stop'] as const
export type StepKind = (typeof STEP_KINDS)[number]

export const CONDITION_REF_MAX = 300
export const CONDITION_VALUE_MAX = 2_000
export const CONDITIONS_MAX = 20
export const STOP_TEXT_MAX = 100_000
export const STEP_DEFAULT_MAX = 100_000
export const OUTPUT_NAME_REQUIRED = 'Output variable name is required'

const ref = z
  .string()
  .trim()
  .min(1, 'Name what the condition looks at')
  .max(CONDITION_REF_MAX)
  .regex(/^[^<>{}\n\r]+$/, 'A name without braces, such as triage.severity')
  .describe(
    'What is looked at: an earlier output or a field of it, such as triage.severity; the input of the run; or a variable. An output goes before a variable of the same name.',
  )
const not = z.literal(true).optional().describe('The condition holds where it would not. Absent: as it is.')
const value = z.string().max(CONDITION_VALUE_MAX)

const TEXT_OPS = ['is', 'contains', 'matches', '>', '<'] as const

const comparison = z.discriminatedUnion('op', [
  z
    .strictObject({
      ref,
      op: z
        .enum(TEXT_OPS)
        .describe(
          'is: the same text; contains: the text is in it; matches: a regular expression finds something in it; > and <: both are numbers, compared as decimals.',
        ),
      not,
      value: value.describe('What it is compared with.'),
    })
    .refine(({ op, value }) => op !== 'matches' || isPattern(value), {
      path: ['value'],
      error: 'This is no regular expression',
    }),
  z.strictObject({
    ref,
    op: z.literal('is_one_of').describe('The same as one of these texts.'),
    not,
    value: z.array(value).min(1, 'List at least one value').max(CONDITIONS_MAX).describe('The texts.'),
  }),
  z.strictObject({ ref, op: z.literal('is_empty').describe('Nothing but white space.'), not }),
])
export type Comparison = z.infer<typeof comparison>
export type ConditionOp = Comparison['op']
export const CONDITION_OPS = [
  'is',
  'contains',
  'is_one_of',
  'is_empty',
  '>',
  '<',
  'matches',
] as const satisfies readonly ConditionOp[]

function countComparisons(part: object): number {
  if ('op' in part) return 1
  const parts: object[] = Object.values(part).flat()
  return parts.reduce((sum, inner) => sum + countComparisons(inner), 0)
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) !== undefined
  } catch {
    return false
  }
}

function groupOf<Part extends z.ZodType>(part: Part, what: string) {
  const parts = z
    .array(part)
    .min(1, 'Add a condition')
    .max(CONDITIONS_MAX, `At most ${CONDITIONS_MAX} conditions`)
  return z.union(
    [
      z.strictObject({ all: parts.describe(`${what} all of which hold.`) }),
      z.strictObject({ any: parts.describe(`${what} at least one of which holds.`) }),
    ],
    'Give a list of comparisons, or of groups of them, as `all` or as `any`',
  )
}

const innerGroup = groupOf(comparison, 'Comparisons')
export type InnerConditions = z.infer<typeof innerGroup>

const condition = groupOf(z.union([comparison, innerGroup]), 'Comparisons, or groups of them,').refine(
  (whole) => countComparisons(whole) <= CONDITIONS_MAX,
  `At most ${CONDITIONS_MAX} conditions`,
)
/** One level of groups within a group. */
export type Condition = z.infer<typeof condition>

export const stopRun = z.strictObject({
  outcome: z.enum(['completed', 'failed']).describe('How the run ends.'),
  text: z
    .string()
    .max(STOP_TEXT_MAX)
    .describe('A template, like the content: the output of the run, or the error that it ends with.'),
})
export type StopRun = z.infer<typeof stopRun>

export const IF_IT_FAILS = ['stop', 'go_on'] as const

const KIND =
  'What the step does. prompt: ask a model; ask: ask people, and wait for an answer; stop: end the run'
const ONLY_IF = 'The step runs only if this holds, and is skipped otherwise'
const DEFAULT = 'Its output when it is skipped'
const FAILS =
  'What happens if it fails. stop: the run fails too; go_on: the run goes on as if it were skipped'
const ASK = 'Of a step of kind ask, what it asks of whom'
const KEPT = 'absent: unchanged'

/** What of a step decides whether and how it runs, as it is kept. */
export const flowSettings = {
  kind: z.enum(STEP_KINDS).optional().describe(`${KIND}. Absent: prompt.`),
  onlyIf: condition.optional().describe(`${ONLY_IF}; absent: always.`),
  default: z.string().optional().describe(`${DEFAULT}; absent: empty.`),
  ifItFails: z.enum(IF_IT_FAILS).optional().describe(`${FAILS}. Absent: stop.`),
  ask: stepAsk.optional().describe(`${ASK}. Absent of the others.`),
}

export const flowFields = {
  kind: z.enum(STEP_KINDS).optional().describe(`${KIND}; ${KEPT}, and of a new step prompt.`),
  onlyIf: condition.nullable().optional().describe(`${ONLY_IF}; null: always; ${KEPT}.`),
  default: z
    .string()
    .max(STEP_DEFAULT_MAX)
    .nullable()
    .optional()
    .describe(`${DEFAULT}; null: empty; ${KEPT}.`),
  ifItFails: z.enum(IF_IT_FAILS).nullable().optional().describe(`${FAILS}. null: stop; ${KEPT}.`),
  ask: stepAsk.nullable().optional().describe(`${ASK}; null of the others; ${KEPT}.`),
}

/** Fields of a step as far as its kind asks for some and takes no others. */
export interface StepShape {
  kind?: StepKind | undefined
  model?: string | null | undefined
  outputVariableName?: string | undefined
  content?: string | undefined
  stop?: readonly string[] | StopRun | null | undefined
  ask?: StepAsk | null | undefined
  [field: string]: unknown
}

const OF_ASKING = [
  'content',
  'promptId',
  'systemPrompt',
  'messages',
  'fallbackModel',
  'moreFallbackModels',
  'temperature',
  'maxTokens',
  'effort',
  'output',
]

/** What keeps fields from being a step of their kind, by the first field at fault. */
export function findStepFault(step: StepShape): { path: string; message: string } | undefined {
  const { kind = 'prompt', model, outputVariableName: name, stop, ask } = step
  const ends = stop != null && 'outcome' in stop
  if (kind !== 'prompt') {
    if (model != null) return { path: 'model', message: `A step of kind ${kind} asks no model` }
    if (kind === 'stop' && !ends) return { path: 'stop', message: 'Say how the step ends the run' }
    if (kind === 'ask' && ask == null) return { path: 'ask', message: 'Say what the step asks of whom' }
    const other = OF_ASKING.find((field) => isGiven(step[field]))
    if (other !== undefined)
      return { path: other, message: `A step of kind ${kind} does not have this, as it asks no model` }
  } else if (model == null) return { path: 'model', message: 'Choose a model' }
  if (kind !== 'stop' && !name) return { path: 'outputVariableName', message: OUTPUT_NAME_REQUIRED }
  if (kind !== 'stop' && (kind === 'ask' ? stop != null : ends))
    return { path: 'stop', message: 'Only a step of kind stop ends the run' }
  if (kind !== 'ask' && ask != null) return { path: 'ask', message: 'Only a step of kind ask asks people' }
  const isInJson = kind === 'ask' || (kind === 'prompt' && isGiven(step.output))
  if (isInJson && isGiven(step.default) && !isJson(step.default))
    return { path: 'default', message: 'The step answers in JSON, so its default must be JSON too' }
  return undefined
}

function isJson(value: unknown): boolean {
  try {
    return typeof value === 'string' && JSON.parse(value) !== undefined
  } catch {
    return false
  }
}

function isGiven(value: unknown): boolean {
  if (value == null || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return !(typeof value === 'object' && 'type' in value && value.type === 'text')
}
