import { type SQL, sql } from 'drizzle-orm'
import { runs } from '../../../database/schema/index.ts'
import type { ApiCall } from '../engine/api-call.ts'
import { ownToken } from '../engine/own-token.sql.ts'
import type { PlannedStep } from '../engine/planned-step.ts'

export interface NewChainRun {
  id: number | null
  userId: number
  chainId: number
  chainName: string
  chainVersion: number
  chainLabel: string | null
  visibilityEpoch: number | null
  trigger: 'manual' | 'schedule' | 'token' | 'evaluation'
  apiTokenId: number | null
  apiCall: ApiCall | null
  userInput: string
  variableValues: Record<string, string>
  privateValues: boolean
  plan: PlannedStep[]
  stepCount: number
  subscribers: Record<string, string> | null
  /** 1 when this process runs it at once; 0: it waits for a worker. */
  attempt: 0 | 1
  endsWithProcess: boolean
}

type Started = Exclude<keyof NewChainRun, 'id' | 'endsWithProcess'>

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
