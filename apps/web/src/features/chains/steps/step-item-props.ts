import type { Chain, ChainStep } from '@catenary/contracts'
import type { ChainWarning, TakenOutput } from '@catenary/domain'
import type { useSortable } from '@dnd-kit/sortable'
import type { StepRun } from '../run/use-step-runs.ts'
import type { WaysOutOf } from '../warning-text.tsx'
import type { StepActions } from './use-step-actions.ts'

export type StepListeners = ReturnType<typeof useSortable>['listeners']

export interface StepItemProps {
  chain: Pick<Chain, 'id' | 'owner' | 'revision'>
  step: ChainStep
  index: number
  count: number
  jsonOutputs: ReadonlySet<string>
  taken: readonly TakenOutput[]
  warnings: readonly ChainWarning[]
  waysOut: WaysOutOf
  actions: StepActions
  canEdit: boolean
  run: StepRun | undefined
  isLast: boolean
}
