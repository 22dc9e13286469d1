import type { LimitWait } from '../../../platform/models/model-types.ts'
import type { ActiveStep } from './active-runs.ts'
import type { Piece } from './step-reader.ts'

/** A step under way but for its text; its dates are texts once they went to another process. */
type ToldStep = Pick<Piece, 'position' | 'retries' | 'startedAt'> &
  Pick<ActiveStep, 'items'> & {
    waitsFor?: (Omit<LimitWait, 'until'> & { until: Date | string }) | undefined
  }

/** What a process tells of its runs to one that follows them, in the order in which it came. Any of it may be lost. */
export type LiveChange =
  /** The state has changed, and this is the step under way, all of whose text so far was told; without one it has ended. */
  { type: 'changed'; id: number; step?: ToldStep } | ({ type: 'text'; id: number } & Piece)
