import type { ChainStep } from '@catenary/contracts'
import type { ChainWarning, TakenOutput } from '@catenary/domain'
import type { useSortable } from '@dnd-kit/sortable'
import type { StepRun } from '../run/use-step-runs.ts'
import type { StepActions } from './use-step-actions.ts'

export type StepListeners = ReturnType<typeof useSortable>['listeners']

export interface StepItemProps {
  step: ChainStep
  /** 0 for the first. */
  index: number
  count: number
  /** Names of the chain’s outputs that are JSON. */
  jsonOutputs: ReadonlySet<string>
  taken: readonly TakenOutput[]
  warnings: readonly ChainWarning[]
  actions: StepActions
  canEdit: boolean
  /** Its part of the run in view. */
  run: StepRun | undefined
}
