import type { OwnFields } from '@catenary/contracts'
import type { Context } from '../../../../platform/context.ts'
import type { PlannedStep } from '../../engine/planned-step.ts'
import type { RenderedStep } from '../../engine/step-templates.ts'
import type { RunPart } from '../loop-state.ts'
import type { StepOfRunning } from '../step-reads.ts'

/** How steps of one kind run. */
export interface KindInRun {
  /** What a run’s plan has of the kind’s own field, but for its template. */
  planned: (own: OwnFields) => Partial<PlannedStep>
  /** Takes the step’s turn, with the values in its texts, and stores its end. */
  take: (ctx: Context, toGo: StepToTake) => Promise<StepResult>
}

export interface StepToTake extends StepOfRunning {
  input: RenderedStep
}

export interface StepResult {
  /** Of a step that asked a model, or of each item for which it did. */
  answered?: RunPart[]
  endsRun?: true
  waits?: true
  /** Others have its place. */
  gaveWay?: true
}
