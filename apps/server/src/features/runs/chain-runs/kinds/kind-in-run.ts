import type { OwnFields } from '@catenary/contracts'
import type { JsonOutputs } from '@catenary/domain'
import type { Context } from '../../../../platform/context.ts'
import type { KnownValue } from '../../engine/attachments.ts'
import type { PlannedStep } from '../../engine/planned-step.ts'
import type { RenderedStep } from '../../engine/step-templates.ts'
import type { ItemEnd } from '../loop-items.sql.ts'
import type { RunPart } from '../loop-state.ts'
import type { StepOfRunning } from '../step-reads.ts'

/** How steps of one kind run. */
export interface KindInRun {
  /** What a run’s plan has of the kind’s own field, but for its template. */
  planned: (own: OwnFields) => Partial<PlannedStep>
  /** Its templates, joined. */
  texts: (step: PlannedStep) => string
  /** They with their values. */
  render: (step: PlannedStep, values: StepValues) => RenderedStep
  /** Where a step takes values, as its runner confirms it (D89); absent of a kind that takes them to models alone. */
  destination?: (ctx: Context, sent: { chainId: number; step: PlannedStep }) => Promise<string>
  /** The step that asked for what this one would do, where people saw something else of it (D85). */
  asksAnew?: (ctx: Context, toGo: AskedAnew) => Promise<AskAgain | undefined>
  /** Gets the output of one of the list’s items, with what is kept of how; absent of a kind that runs once. */
  takeItem?: (ctx: Context, toGo: StepToTake) => Promise<ItemAnswer>
  /** Takes the step’s turn, with the values in its texts, and stores its end. */
  take: (ctx: Context, toGo: StepToTake) => Promise<StepResult>
}

export type AskedAnew = Pick<StepOfRunning, 'plan' | 'record'> & { step: PlannedStep }

export type AskAgain = Parameters<StepOfRunning['record']['ask']>[0]

export interface StepValues {
  variables: ReadonlyMap<string, KnownValue>
  outputs: ReadonlyMap<string, string>
  jsonOutputs: JsonOutputs
}

type ItemAnswer = Partial<ItemEnd> & Pick<RunPart, 'inputTokens' | 'outputTokens'> & { aiResponse: string }

export interface StepToTake extends StepOfRunning {
  input: RenderedStep
  /** Which of the list’s items it is, from 0; absent: the step runs once. */
  item?: number
}

export interface StepResult {
  /** Of a step that asked a model, or of each item for which it did. */
  answered?: RunPart[]
  endsRun?: true
  waits?: true
  /** Others have its place. */
  gaveWay?: true
}
