import type { ChainStep } from '@catenary/contracts'
import type { ChainWarning, TakenOutput } from '@catenary/domain'
import type { useSortable } from '@dnd-kit/sortable'
import type { ReactNode } from 'react'
import type { StepTone } from '../chain-run-slots.ts'
import type { StepActions } from './use-step-actions.ts'

export type StepListeners = ReturnType<typeof useSortable>['listeners']

export interface StepItemProps {
  step: ChainStep
  /** 0 for the first. */
  index: number
  count: number
  taken: readonly TakenOutput[]
  warnings: readonly ChainWarning[]
  actions: StepActions
  canEdit: boolean
  tone: StepTone | undefined
  status: ReactNode
  detail: ReactNode
}
