import type { ApiCall } from '../engine/api-call.ts'
import type { PlannedStep } from '../engine/planned-step.ts'

/** A run of a chain as it is first written. */
export interface NewChainRun {
  /** Where it was reserved before. */
  id: number | null
  userId: number
  chainId: number
  chainName: string
  chainVersion: number
  /** By which the version was found; null: it was the chain as it is. */
  chainLabel: string | null
  /** Of the chain's runs to owner and editors; null: it is kept to who starts it. */
  runsOpening: number | null
  trigger: 'manual' | 'schedule' | 'token' | 'evaluation'
  apiTokenId: number | null
  /** What of the compatible API was called. */
  apiCall: ApiCall | null
  userInput: string
  variableValues: Record<string, string>
  plan: PlannedStep[]
  stepCount: number
  /** Who is told of its end: name → by what they know the run. */
  subscribers: Record<string, string> | null
  /** 1 when this process runs it at once; 0: it waits for a worker. */
  attempt: 0 | 1
  /** Nobody takes it over. */
  endsWithProcess: boolean
}
