import type { RecordKind } from '@catenary/contracts'
import { and, type Column, eq, type SQL, sql } from 'drizzle-orm'
import {
  chainAcceptances,
  chainLabels,
  chainShares,
  chains,
  chainVersions,
  labelMoves,
  promptAcceptances,
  promptLabels,
  promptShares,
  prompts,
  promptVersions,
} from '../../db/schema/index.ts'
import { chainsVisibleTo, promptsVisibleTo } from '../../db/sql/visible-rows.ts'

/** A prompt or a chain. */
export interface RecordKey {
  kind: RecordKind
  id: number
}

/** The tables of each kind, as far as both are alike. */
export const TABLES = {
  chain: {
    records: chains,
    acceptances: chainAcceptances,
    labels: chainLabels,
    shares: chainShares,
    versions: chainVersions,
    /** Whose version it is. */
    ofVersion: chainVersions.chainId,
    /** Whose label was moved. */
    ofMove: labelMoves.chainId,
  },
  prompt: {
    records: prompts,
    acceptances: promptAcceptances,
    labels: promptLabels,
    shares: promptShares,
    versions: promptVersions,
    ofVersion: promptVersions.promptId,
    ofMove: labelMoves.promptId,
  },
} as const satisfies Record<RecordKind, unknown>

const VISIBLE = { chain: chainsVisibleTo, prompt: promptsVisibleTo }

/** The rows that the viewer can see, joined with their shares. */
export function isVisibleTo(kind: RecordKind, viewerId: number | Column): SQL | undefined {
  return VISIBLE[kind](viewerId)
}

/** The person's row among the shares or acceptances of a record; a guest has none. */
export function isOf(
  kind: RecordKind,
  { rows, userId }: { rows: Record<'recordId' | 'userId', Column>; userId: number | Column | null },
): SQL | undefined {
  return and(eq(rows.recordId, TABLES[kind].records.id), sql`${rows.userId} = ${userId}`)
}
