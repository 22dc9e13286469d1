import type { GateState, LabelMove, ListLabelMovesQuery, User, VersionLabels } from '@catenary/contracts'
import type { Executor } from '../../../db/executor.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../../list-page.ts'
import { noSuchVersion } from '../label-errors.ts'
import { canMoveLabel, canOverrideGate } from '../labels.policy.ts'
import { listLabels, listMoves, listMovesLiveAt } from '../labels.repository.ts'
import { listProtectedLabels } from '../protected-labels.repository.ts'
import type { RecordKey, RecordView } from '../record-port.ts'
import type { RecordsDeps } from '../records-deps.ts'
import { hasVersion } from '../versions.repository.ts'

const CURSOR = defineCursor({ list: 'label moves', position: cursorPosition.id })

interface Wanted extends RecordKey {
  user: User | null
}

/** Throws `not_found` for a record that the user can't see. */
export async function listVersionLabels(
  { db, ports }: RecordsDeps,
  { kind, id, user }: Wanted,
): Promise<VersionLabels> {
  const record = await ports[kind].findVisible({ db }, { id, user })
  return toVersionLabels(db, { kind, record, user })
}

/** The labels of a record, with what the user may do with each. */
export async function toVersionLabels(
  executor: Executor,
  { kind, record, user }: Pick<Wanted, 'kind' | 'user'> & { record: RecordView },
): Promise<VersionLabels> {
  const labels = await listLabels(executor, { kind, id: record.id })
  const protections = await listProtectedLabels(executor)
  return {
    latest: record.version,
    labels,
    canMove: canMoveLabel(user, record),
    protected: protections.map((protection) => ({
      ...protection,
      canMove: canMoveLabel(user, record, protection),
      canOverride: canOverrideGate(user, record, protection),
    })),
  }
}

/** Newest first; with a time only those by which labels were live then. */
export async function listLabelMoves(
  { db, ports }: RecordsDeps,
  { kind, id, user, query }: Wanted & { query: ListLabelMovesQuery },
): Promise<ListPage<LabelMove>> {
  await ports[kind].findVisible({ db }, { id, user })
  const { label, at, limit, cursor } = query
  const filter = { kind, id, label, before: CURSOR.read(cursor), limit: limit + 1 }
  return toPage({
    rows: await (at === undefined ? listMoves(db, filter) : listMovesLiveAt(db, { ...filter, at })),
    limit,
    toItem: (move) => move,
    cursorOf: (move) => CURSOR.write(move.id),
  })
}

/** What the gate says to a move of a label now; the move asks again. */
export function previewMove(
  { db, ports, gate }: RecordsDeps,
  { kind, id, label, version, user }: RecordKey & { label: string; version: number; user: User },
): Promise<GateState> {
  return db.transaction(async (tx) => {
    const record = await ports[kind].findVisible({ db: tx }, { id, user })
    if (!(await hasVersion(tx, { kind, id, number: version }))) throw noSuchVersion({ kind, version })
    const protection = (await listProtectedLabels(tx)).find((rule) => rule.label === label)
    if (!protection?.needsSuite) {
      return { needsSuite: false, passed: true, suites: [], canOverride: false }
    }
    const verdict = await gate.judge(tx, { kind, id, label, version, user })
    return {
      needsSuite: true,
      passed: verdict.passed,
      suites: verdict.passed ? [] : verdict.suites,
      canOverride: canOverrideGate(user, record, protection),
    }
  })
}

/** Whether a user may see the record is for the caller to ask. */
export async function labelsByVersion(executor: Executor, record: RecordKey): Promise<Map<number, string[]>> {
  const labels = await listLabels(executor, record)
  const versions = Map.groupBy(labels, ({ version }) => version)
  return new Map([...versions].map(([version, there]) => [version, there.map(({ label }) => label)]))
}

/** The labels that are moved only onto versions that passed their test suites, by name. */
export async function labelsNeedingSuite(executor: Executor): Promise<string[]> {
  const rules = await listProtectedLabels(executor)
  return rules.flatMap(({ label, needsSuite }) => (needsSuite ? label : []))
}
