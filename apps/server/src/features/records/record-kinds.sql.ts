import type { RecordKind } from '@catenary/contracts'
import { and, type Column, eq, type SQL, sql } from 'drizzle-orm'
import {
  chainAcceptances,
  chainGroupShares,
  chainLabels,
  chainShares,
  chains,
  chainVersions,
  labelMoves,
  promptAcceptances,
  promptGroupShares,
  promptLabels,
  promptShares,
  prompts,
  promptVersions,
} from '../../database/schema/index.ts'
import { chainsVisibleTo, promptsVisibleTo } from '../../database/statements/visible-rows.ts'

export interface RecordKey {
  kind: RecordKind
  id: number
}

export const TABLES = {
  chain: {
    records: chains,
    acceptances: chainAcceptances,
    labels: chainLabels,
    shares: chainShares,
    groupShares: chainGroupShares,
    versions: chainVersions,
    ofVersion: chainVersions.chainId,
    ofMove: labelMoves.chainId,
  },
  prompt: {
    records: prompts,
    acceptances: promptAcceptances,
    labels: promptLabels,
    shares: promptShares,
    groupShares: promptGroupShares,
    versions: promptVersions,
    ofVersion: promptVersions.promptId,
    ofMove: labelMoves.promptId,
  },
} as const satisfies Record<RecordKind, unknown>

const VISIBLE = { chain: chainsVisibleTo, prompt: promptsVisibleTo }

export function isVisibleTo(kind: RecordKind, viewerId: number | Column): SQL | undefined {
  return VISIBLE[kind](viewerId)
}

export function isOf(
  kind: RecordKind,
  { rows, userId }: { rows: Record<'recordId' | 'userId', Column>; userId: number | Column | null },
): SQL | undefined {
  return and(eq(rows.recordId, TABLES[kind].records.id), sql`${rows.userId} = ${userId}`)
}
