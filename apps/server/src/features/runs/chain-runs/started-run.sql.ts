import { type SQL, sql } from 'drizzle-orm'
import { runs } from '../../../db/schema/index.ts'
import { ownToken } from '../engine/own-token.sql.ts'
import type { NewChainRun } from './new-chain-run.ts'

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
