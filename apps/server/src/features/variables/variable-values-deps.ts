import type { Attachment, ValueOrigin } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { CreateWindows } from '../../platform/limits/windows.ts'
import { createFetchRateLimiter } from './fetch-rate-limiter.ts'
import { createFetchSemaphore } from './fetch-semaphore.ts'
import { createVariableSources, type SourcesDeps } from './variable-sources.ts'
import { prepareListVariablesByNames } from './variables.repository.ts'

/** How long a run waits for all its values together: a client gives up after 20 s of silence. */
const DEADLINE_MS = 15_000

/** What a reference stands for, and where that came from. */
export interface ResolvedVariable {
  /** null: there is none; `origin.error` says why. */
  value: string | null
  /** Of an image or a PDF, whose value is the mark that stands for it. */
  attachment?: Attachment
  origin: ValueOrigin
}

export interface VariableValuesOptions extends SourcesDeps {
  db: Database
  windows: CreateWindows
  now: () => Date
  deadlineMs?: number
}

/** What the operations on variables' values work with. */
export type VariableValues = ReturnType<typeof createVariableValues>

/** What variables stand for now: stored, uploaded, fetched, or fetched a while ago (D22–D26). */
export function createVariableValues({
  db,
  windows,
  now,
  deadlineMs = DEADLINE_MS,
  ...deps
}: VariableValuesOptions) {
  return {
    db,
    now,
    deadlineMs,
    sources: createVariableSources(deps),
    readMedia: deps.files.readMedia,
    limits: createFetchRateLimiter({ now, windows }),
    withPermit: createFetchSemaphore(),
    listByNames: prepareListVariablesByNames(db),
  }
}
