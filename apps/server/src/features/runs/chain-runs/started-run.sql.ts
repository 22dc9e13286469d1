import { type SQL, sql } from 'drizzle-orm'
import { runs } from '../../../db/schema/index.ts'
import type { ApiCall } from '../engine/api-call.ts'
import { ownToken } from '../engine/own-token.sql.ts'
import type { PlannedStep } from '../engine/planned-step.ts'

/** A run of a chain as it is first written. */
export interface NewChainRun {
  /** Where it was reserved before. */
  id: number | null
  userId: number
  chainId: number
  chainName: string
  chainVersion: number
  /** The label by which the version was found; null: the chain as it is. */
  chainLabel: string | null
  /** The chain's epoch in which owner and editors see it; null: only its starter sees it. */
  visibilityEpoch: number | null
  trigger: 'manual' | 'schedule' | 'token' | 'evaluation'
  apiTokenId: number | null
  /** What of the compatible API was called. */
  apiCall: ApiCall | null
  userInput: string
  variableValues: Record<string, string>
  /** It may take in a value that only its runner sees: others learn from the start on only that it is there (D68). */
  privateValues: boolean
  plan: PlannedStep[]
  stepCount: number
  /** Subscribers to its end: name → their reference to the run. */
  subscribers: Record<string, string> | null
  /** 1 when this process runs it at once; 0: it waits for a worker. */
  attempt: 0 | 1
  /** No worker takes it over. */
  endsWithProcess: boolean
}

type Started = Exclude<keyof NewChainRun, 'id' | 'endsWithProcess'>

/** What is known of a run when it starts, whether it is written then or once it has ended. */
export function startedRunColumns(value: (name: Started) => SQL) {
  return {
    kind: 'chain' as const,
    userId: value('userId'),
    chainId: value('chainId'),
    chainName: value('chainName'),
    chainVersion: value('chainVersion'),
    chainLabel: value('chainLabel'),
    visibilityEpoch: value('visibilityEpoch'),
    trigger: value('trigger'),
    apiTokenId: ownToken(value('apiTokenId')),
    apiCall: value('apiCall'),
    userInput: value('userInput'),
    variableValues: value('variableValues'),
    privateValues: value('privateValues'),
    plan: value('plan'),
    stepCount: value('stepCount'),
    subscribers: value('subscribers'),
    attempt: value('attempt'),
  } satisfies Record<Started | 'kind', unknown>
}

/** A run has used a private value once any of its steps has; null: unknown. */
export const raisedBy = (privateValues: SQL | boolean) =>
  sql`${runs.privateValues} or ${privateValues}::boolean`
