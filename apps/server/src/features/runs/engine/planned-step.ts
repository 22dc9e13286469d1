import type {
  Condition,
  Effort,
  ForEach,
  JsonOutput,
  StepAsk,
  StepKind,
  StepTool,
  StopRun,
  StopsWhenCut,
  StopsWithoutValue,
  Turn,
} from '@catenary/contracts'
import { findConflict } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { AskedSchema } from '../../../platform/models/model-types.ts'
import type { OthersText } from '../../records/records.ts'

/** A step as the run executes it, independent of later changes to the chain. */
export interface PlannedStep {
  id: number
  position: number
  title: string
  model: string
  /** Asked when that one fails for good; absent in runs that began before steps had it. */
  fallbackModel?: string | null
  moreFallbackModels?: string[] | undefined
  promptId: number | null
  /** The label by which the version was found; absent in runs from before steps had labels. */
  promptLabel?: string | null
  promptVersion: number | null
  template: string
  systemPrompt: string
  messages?: Turn[] | undefined
  effort?: Effort | undefined
  output?: JsonOutput | undefined
  outputVariableName: string
  /** Names of the run's inputs and of earlier outputs that it reads; absent: of none, or of a run from before that was kept. */
  reads?: readonly string[]
  temperature: number | null
  maxTokens: number | null
  /** The chain's; absent in runs that began before chains had it. */
  stopsWithoutValue?: StopsWithoutValue
  stopsWhenCut?: StopsWhenCut
  stop?: readonly string[] | undefined
  schema?: AskedSchema
  onlyIf?: Condition | undefined
  /** Its output where it is skipped; absent: empty. */
  default?: string | undefined
  /** Then it counts as skipped, and the run continues. */
  mayFail?: true
  /** It runs for each item of a list. */
  forEach?: ForEach | undefined
  /** Absent: prompt, or of a run from before it was kept. */
  kind?: StepKind | undefined
  /** Here the run ends, with the template. */
  ends?: StopRun
  /** Here the run waits for a person; the text that they see is the template. */
  ask?: Omit<StepAsk, 'text'>
  /** What it calls, with its templates. */
  tool?: StepTool
  /** What stands for the answer where nobody is asked, as in a test. */
  given?: string
  /** Where private values may go at this step (D89); absent: anywhere, as its runner alone wrote what runs. */
  sends?: { chainId: number; allowed: string[] }
  /** Names, in lower case, for which no private value is filled in; absent in runs from before that was asked (D69). */
  withheld?: string[]
  /** Names that others brought in and that its runner allowed: that holds when the run goes on later. */
  allowed?: string[]
}

export interface OpenedStep extends PlannedStep {
  others: readonly OthersText[]
}

export interface AnswerLimits {
  stop?: readonly string[]
  maxTokens?: number | undefined
}

export interface CallerSchema {
  schema: Readonly<Record<string, unknown>>
  param: string
}

export interface AnswerBounds extends AnswerLimits {
  schema?: CallerSchema | undefined
}

/**
 * The plan with the answer within those bounds as well as its own. Throws `invalid` for a schema where the last step
 * has none, or that no answer to its own can match: it would be paid before it is refused.
 */
export function boundAnswer(plan: PlannedStep[], { maxTokens, stop, schema }: AnswerBounds): PlannedStep[] {
  const last = plan.at(-1)
  if (last === undefined) return plan
  const mayBeOther = last.onlyIf || last.mayFail || last.forEach
  if (schema && (mayBeOther || plan.some(mayEndRun))) {
    const message =
      'a schema is not supported here: the answer may be another text, as a step ends the run or the last step may be skipped or runs for each item of a list.'
    throw schemaRefused(schema, message)
  }
  const limits = [last.maxTokens ?? Infinity, maxTokens ?? Infinity]
  const least = Math.min(...limits)
  const bounded = {
    ...last,
    maxTokens: least === Infinity ? null : least,
    ...(stop && { stop }),
    ...withCaller(last.schema, schema),
  }
  return [...plan.slice(0, -1), bounded]
}

/** With another text than the answer of the last step. */
const mayEndRun = ({ ends, ask }: PlannedStep) =>
  ends?.outcome === 'completed' || ask?.choices.some((choice) => choice.ends === 'completed')

export function kindOf({ kind, ask, ends }: Pick<PlannedStep, 'kind' | 'ask' | 'ends'>): StepKind {
  return kind ?? (ask ? 'ask' : ends ? 'stop' : 'prompt')
}

/** Whether a step asks a model. */
export const asksModel = (step: PlannedStep): boolean => kindOf(step) === 'prompt'

/** The position of the first step that has not completed, of a run that may have later ones that have. */
export function firstLeft(completed: Iterable<{ position: number }>): number {
  const positions = new Set(Array.from(completed, ({ position }) => position))
  for (let position = 0; ; position += 1) if (!positions.has(position)) return position
}

/** Where the answer is written as it comes: in the last step, unless another output may take its place. */
export function answerIn(plan: readonly PlannedStep[]): { position: number; isWritten: boolean } {
  const last = plan.at(-1)
  const isWritten = last !== undefined && !last.mayFail && !last.forEach && asksModel(last)
  return { position: plan.length - 1, isWritten }
}

/** Nothing where neither output nor caller has a schema. Throws `invalid` where only the caller has one. */
export function withSchema(
  output: JsonOutput | undefined,
  asked?: CallerSchema,
): Pick<PlannedStep, 'schema'> {
  return withCaller(output && { name: 'answer', schema: output.schema, isOwn: true }, asked)
}

function schemaRefused({ param }: CallerSchema, message: string): AppError {
  return new AppError('invalid', `${param}: ${message}`, { details: [{ path: param, message }] })
}

function withCaller(
  own: AskedSchema | undefined,
  asked: CallerSchema | undefined,
): Pick<PlannedStep, 'schema'> {
  if (asked === undefined) return own === undefined ? {} : { schema: own }
  const conflict = own && findConflict(own.schema, asked.schema)
  if (conflict !== undefined) {
    const message = `no answer can match both this schema and the output schema of the last step or prompt: ${conflict}`
    throw schemaRefused(asked, message)
  }
  if (own !== undefined) return { schema: { ...own, callerSchema: asked.schema } }
  const message =
    'a schema is not supported here: the answer is text. Set the output of the last step, or of the prompt, to JSON first.'
  throw schemaRefused(asked, message)
}
