import type { GateState, LabelMove, ListLabelMovesQuery, User, VersionLabels } from '@catenary/contracts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../platform/list-page.ts'
import { findRecord, type RecordView } from './find-record.ts'
import { noSuchVersion } from './label-errors.ts'
import { canMoveLabel, canOverrideGate } from './labels.policy.ts'
import { listLabels, listMoves, listMovesLiveAt, listProtections } from './labels.sql.ts'
import type { RecordKey } from './record-kinds.sql.ts'
import { releaseGateSlot } from './release-gate.ts'
import { hasVersion } from './versions.sql.ts'

const CURSOR = defineCursor({ list: 'label moves', position: cursorPosition.id })

interface Wanted extends RecordKey {
  user: User | null
}

export async function listVersionLabels(ctx: Context, { kind, id, user }: Wanted): Promise<VersionLabels> {
  const record = await findRecord(ctx, { kind, id, user })
  return toVersionLabels(ctx, { kind, record, user })
}

export async function toVersionLabels(
  { db }: SqlContext,
  { kind, record, user }: Pick<Wanted, 'kind' | 'user'> & { record: RecordView },
): Promise<VersionLabels> {
  const labels = await listLabels(db, { kind, id: record.id })
  const protections = await listProtections(db, user?.id)
  return {
    latest: record.version,
    labels,
    canMove: canMoveLabel(user, record),
    protected: protections.map((protection) => {
      const { label, whoMayMove, needsSuite } = protection
      const canMove = canMoveLabel(user, record, protection)
      const canOverride = canOverrideGate(user, record, protection)
      return { label, whoMayMove, needsSuite, canMove, canOverride }
    }),
  }
}

export async function listLabelMoves(
  ctx: Context,
  { kind, id, user, query }: Wanted & { query: ListLabelMovesQuery },
): Promise<ListPage<LabelMove>> {
  await findRecord(ctx, { kind, id, user })
  const { label, at, limit, cursor } = query
  const filter = { kind, id, label, before: CURSOR.read(cursor), limit: limit + 1 }
  return toPage({
    rows: await (at === undefined ? listMoves(ctx.db, filter) : listMovesLiveAt(ctx.db, { ...filter, at })),
    limit,
    toItem: (move) => move,
    cursorOf: (move) => CURSOR.write(move.id),
  })
}

/** What the gate says to a move of a label now; the move asks again. */
export function previewMove(
  ctx: Context,
  { kind, id, label, version, user }: RecordKey & { label: string; version: number; user: User },
): Promise<GateState> {
  return transaction(ctx, async (ctx) => {
    const record = await findRecord(ctx, { kind, id, user })
    if (!(await hasVersion(ctx.db, { kind, id, number: version }))) throw noSuchVersion({ kind, version })
    const protection = (await listProtections(ctx.db, user.id)).find((rule) => rule.label === label)
    if (!protection?.needsSuite) {
      return { needsSuite: false, passed: true, suites: [], canOverride: false }
    }
    const verdict = await releaseGateSlot.of(ctx).judge(ctx.db, { kind, id, label, version, user })
    return {
      needsSuite: true,
      passed: verdict.passed,
      suites: verdict.passed ? [] : verdict.suites,
      canOverride: canOverrideGate(user, record, protection),
    }
  })
}

/** Whether a user may see the record is for the caller to ask. */
export async function labelsByVersion({ db }: SqlContext, record: RecordKey): Promise<Map<number, string[]>> {
  const labels = await listLabels(db, record)
  const versions = Map.groupBy(labels, ({ version }) => version)
  return new Map([...versions].map(([version, there]) => [version, there.map(({ label }) => label)]))
}

export async function labelsNeedingSuite({ db }: SqlContext): Promise<string[]> {
  const rules = await listProtections(db, undefined)
  return rules.flatMap(({ label, needsSuite }) => (needsSuite ? label : []))
}
