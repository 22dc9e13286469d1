import * as z from 'zod'
import { stepAsk } from '../asks/step-ask.ts'
import { stepTool, writtenTool } from '../tools/step-tool.ts'
import {
  KIND_OF_STEP,
  kindOf,
  OWN_FIELDS,
  type OwnFields,
  STEP_KINDS,
  type StepKind,
  sayOfKinds,
} from './step-kinds.ts'

export const CONDITION_REF_MAX = 300
export const CONDITION_VALUE_MAX = 2_000
export const CONDITIONS_MAX = 20
export const STEP_DEFAULT_MAX = 100_000
export const OUTPUT_NAME_REQUIRED = 'Output variable name is required'
export const OUTPUT_NAME_MAX = 50
/** The names of the run's input in a step: the last message of a user, or the whole conversation (D28). */
export const CHAIN_INPUT = { lastMessage: 'input', whole: 'input_context' } as const
export const CHAIN_INPUT_NAMES: readonly string[] = Object.values(CHAIN_INPUT)

/** Names in a step that runs for each item: of the item where it has no other, and of its number. */
export const ITEM_NAMES = { item: 'item', number: 'index' } as const
/** As many as a step runs for. */
export const ITEMS_MAX = 200
export const ITEMS_MAX_DEFAULT = 50
export const ITEMS_AT_ONCE_MAX = 10
export const ITEMS_AT_ONCE_DEFAULT = 3
/** Of all steps of a run together, each item's among them. */
export const RUN_CALLS_MAX = 2_000

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

export const IF_IT_FAILS = ['stop', 'go_on'] as const
const IF_AN_ITEM_FAILS = ['stop', 'leave_out'] as const
const LOOP_RESULTS = ['text', 'json'] as const

const list = ref.describe(
  'Where the items come from, as a name without braces: an earlier output or a field of it, the input of the run, or a variable. A JSON array has its elements; a text in which the first line begins with a number, as 1. does, has what is numbered; any other text its lines.',
)
const itemName = z
  .string()
  .trim()
  .min(1, 'Name the item')
  .max(OUTPUT_NAME_MAX, `The item’s name must be at most ${OUTPUT_NAME_MAX} characters`)
  .regex(/^[A-Za-z0-9_]+$/, 'The item’s name may contain letters, digits and underscores only')
  .refine((name) => ![...CHAIN_INPUT_NAMES, ITEM_NAMES.number].includes(name.toLowerCase()), {
    error: ({ input }) => `{{${input}}} has another meaning in a step. Choose another name for the item.`,
  })
  .describe('Name of the item in the step’s texts and in its condition; {{index}} is its number, from 1.')
const loopParts = {
  list,
  as: itemName,
  max: z
    .int()
    .min(1)
    .max(ITEMS_MAX, `At most ${ITEMS_MAX} items`)
    .describe('A list of more items ends the run before the first of them (too_many_items).'),
  atOnce: z
    .int()
    .min(1)
    .max(ITEMS_AT_ONCE_MAX, `At most ${ITEMS_AT_ONCE_MAX} at once`)
    .describe('Items that run at once.'),
  onFailure: z
    .enum(IF_AN_ITEM_FAILS)
    .describe('stop: the first item that fails ends the step; leave_out: the result is without it.'),
  result: z
    .enum(LOOP_RESULTS)
    .describe(
      'What the items’ answers make, in the order of the list. text: a text, with an empty line between them; json: an array, in which JSON stays JSON and a text becomes a string.',
    ),
}
export const keptLoop = z.strictObject(loopParts)
/** How a step runs for each item of a list. */
export type ForEach = z.infer<typeof keptLoop>

const loop = z.strictObject({
  ...loopParts,
  as: loopParts.as.default(ITEM_NAMES.item),
  max: loopParts.max.default(ITEMS_MAX_DEFAULT),
  atOnce: loopParts.atOnce.default(ITEMS_AT_ONCE_DEFAULT),
  onFailure: loopParts.onFailure.default('stop'),
  result: loopParts.result.default('text'),
})

const KIND = `What the step does. ${sayOfKinds('does')}`
const ONLY_IF = 'The step runs only if this holds, and is skipped otherwise'
const DEFAULT = 'Its output when it is skipped'
const FAILS =
  'What happens if it fails. stop: the run fails too; go_on: the run goes on as if it were skipped'
const ASK = 'Of a step of kind ask, what it asks of whom'
const TOOL = 'Of a step of kind tool, what it calls or whom it emails'
const FOR_EACH = 'The step runs for each item of a list'
const KEPT = 'absent: unchanged'

/** Each kind’s own field, but for the one that has its place among a model’s settings too. */
type OwnSchemas = Record<Exclude<keyof OwnFields, 'stop'>, z.ZodType>

/** What of a step decides whether and how it runs, as it is kept. */
export const flowSettings = {
  kind: z.enum(STEP_KINDS).optional().describe(`${KIND}. Absent: prompt.`),
  onlyIf: condition.optional().describe(`${ONLY_IF}; absent: always.`),
  default: z.string().optional().describe(`${DEFAULT}; absent: empty.`),
  ifItFails: z.enum(IF_IT_FAILS).optional().describe(`${FAILS}. Absent: stop.`),
  ask: stepAsk.optional().describe(`${ASK}. Absent of the others.`),
  tool: stepTool.optional().describe(`${TOOL}. Absent of the others.`),
  forEach: keptLoop.optional().describe(`${FOR_EACH}; absent: once.`),
} satisfies OwnSchemas & Record<string, z.ZodType>

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
  tool: writtenTool.nullable().optional().describe(`${TOOL}; null of the others; ${KEPT}.`),
  forEach: loop.nullable().optional().describe(`${FOR_EACH}; null: once; ${KEPT}.`),
} satisfies OwnSchemas & Record<string, z.ZodType>

/** Fields of a step as far as its kind asks for some and takes no others. */
export interface StepShape extends OwnFields {
  kind?: StepKind | undefined
  model?: string | null | undefined
  outputVariableName?: string | undefined
  content?: string | undefined
  forEach?: Partial<ForEach> | null | undefined
  [field: string]: unknown
}

/** What only a step that asks a model has, beside the model. */
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
  'stop',
  'output',
]

/** Names of the fields that a step of a kind never has. */
export function fieldsNotOf(kind: StepKind): string[] {
  const { own, mayLoop } = KIND_OF_STEP[kind]
  const others = OWN_FIELDS.map(({ field }) => field).filter((field) => field !== own?.field)
  const ofAsking = own ? ['model', ...OF_ASKING.filter((field) => field !== own.field)] : []
  return [...new Set([...ofAsking, ...(mayLoop ? [] : ['forEach']), ...others])]
}

/** What keeps fields from being a step of their kind, by the first field at fault. */
export function findStepFault(step: StepShape): { path: string; message: string } | undefined {
  const { kind = 'prompt', model, outputVariableName: name, forEach } = step
  const { own, hasOutput } = KIND_OF_STEP[kind]
  if (own) {
    if (model != null) return { path: 'model', message: `A step of kind ${kind} asks no model` }
    if (!own.isIn(step)) return { path: own.field, message: own.lacks }
  } else if (model == null) return { path: 'model', message: 'Choose a model' }
  const foreign = OWN_FIELDS.find((other) => other.kind !== kind && other.isIn(step))
  if (foreign) return { path: foreign.field, message: foreign.others }
  const other = own && fieldsNotOf(kind).find((field) => isGiven(step[field]))
  if (other !== undefined)
    return { path: other, message: `A step of kind ${kind} does not have this, as it asks no model` }
  if (hasOutput && !name) return { path: 'outputVariableName', message: OUTPUT_NAME_REQUIRED }
  if (forEach?.as !== undefined && forEach.as.toLowerCase() === name?.toLowerCase())
    return { path: 'forEach.as', message: 'The item can’t have the name of the step’s own output' }
  if (givesJson(step) && isGiven(step.default) && !isJson(step.default))
    return { path: 'default', message: 'The step answers in JSON, so its default must be JSON too' }
  return undefined
}

/** Whether a step’s output is JSON of which later steps take fields. */
export function givesJson({
  output,
  forEach,
  ...step
}: { output?: unknown } & Pick<StepShape, 'forEach' | 'kind'> & OwnFields): boolean {
  if (forEach) return forEach.result === 'json'
  return KIND_OF_STEP[kindOf(step)].givesJson(step) || isGiven(output)
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
