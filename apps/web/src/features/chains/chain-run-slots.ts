import type { ChainStep } from '@catenary/contracts'
import type { ReactNode } from 'react'

/** How far a step of the run in view is. */
export type StepTone = 'waiting' | 'running' | 'done' | 'failed'

/**
 * What running the chain puts on its page; what is absent takes no room. The functions are called for every step at
 * each render of the page: give elements that follow the run by themselves, so a piece of text draws one step, not all.
 */
export interface ChainRunSlots {
  /** Buttons at the right of the header; on phones in a bar at the bottom, within the thumb's reach. */
  headerActions?: ReactNode
  /** A bar across the page, below the header. */
  banner?: ReactNode
  /** Cards in the column beside the steps; on narrow pages below them. They bring their own borders. */
  aside?: ReactNode
  /** Colours the step's number, border and lines; undefined: no run is in view. */
  stepTone?: (step: ChainStep, index: number) => StepTone | undefined
  /** A badge right of the step's title. */
  stepStatus?: (step: ChainStep, index: number) => ReactNode
  /** Opens below the step: the text as it streams, or what failed with Resume. */
  stepDetail?: (step: ChainStep, index: number) => ReactNode
}
