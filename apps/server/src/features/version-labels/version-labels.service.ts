import {
  LABELS_MAX,
  type LabelDependants,
  type LabelledKind,
  type LabelMove,
  type ListLabelMovesQuery,
  type MovedLabels,
  type MoveLabelRequest,
  type ProtectedLabel,
  type RecordDependants,
  type User,
  type VersionLabels,
} from '@catenary/contracts'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { defineCursor, type ListPage, placeOf, toPage } from '../../list-page.ts'
import type { Change } from '../../record-access.ts'
import { countDependants } from './label-dependants.repository.ts'
import { findDependants } from './label-dependants.service.ts'
import { labelMoved, requireOpenGate, requireUnlinked, requireUnused } from './label-refusals.service.ts'
import { listProtectedLabels } from './protected-labels.repository.ts'
import type { ReleaseGate } from './release-gate.service.ts'
import { canMoveLabel, canOverrideGate } from './version-labels.policy.ts'
import {
  createMove,
  findOptionalMove,
  hasVersion,
  listCurrentTextLinks,
  listLabels,
  listMoves,
  listMovesLiveAt,
  placeLabel,
} from './version-labels.repository.ts'

export type VersionLabelsService = ReturnType<typeof createVersionLabelsService>

export interface LabelledRecord {
  id: number
  ownerId: number
  version: number
}

/** What is asked of a kind of record whose versions have labels. */
export interface Labelled<Stored extends LabelledRecord> {
  kind: LabelledKind
  /** Throws `not_found` for what the person can't see. */
  findVisible: (executor: Executor, wanted: { id: number; user: User | null }) => Promise<Stored>
  /** Throws unless the person may change it; kept from other writers until the transaction ends. */
  openForChange: (tx: Transaction, change: Change) => Promise<Stored>
  canEdit: (user: User | null, stored: Stored) => boolean
}

interface VersionLabelsDeps<Stored extends LabelledRecord> {
  db: Database
  gate: ReleaseGate
  records: Labelled<Stored>
}

interface Wanted {
  id: number
  user: User | null
}

/** A label that is to point elsewhere, or nowhere. */
interface Move extends Pick<MoveLabelRequest, 'reason' | 'override'> {
  id: number
  label: string
  user: User
  expectedVersion: number | null
  version: number | null
}

const CURSOR = defineCursor({ list: 'label moves', place: placeOf.id })

/** Which version of a record each label points to, and every move of it (D47). */
export function createVersionLabelsService<Stored extends LabelledRecord>({
  db,
  gate,
  records: { kind, ...records },
}: VersionLabelsDeps<Stored>) {
  async function show(
    executor: Executor,
    { stored, user }: { stored: Stored; user: User | null },
  ): Promise<VersionLabels> {
    const subject = { ownerId: stored.ownerId, canEdit: records.canEdit(user, stored) }
    const labels = await listLabels(executor, { kind, id: stored.id })
    const protections = await listProtectedLabels(executor)
    return {
      latest: stored.version,
      labels,
      canMove: canMoveLabel(user, subject),
      protected: protections.map((protection) => ({
        ...protection,
        canMove: canMoveLabel(user, subject, protection),
        canOverride: canOverrideGate(user, subject, protection),
      })),
    }
  }

  /** What a protected label asks of a move, beside the right to move it. */
  async function requireReleasable(
    tx: Transaction,
    {
      stored,
      version,
      protection,
      ...move
    }: Move & { stored: Stored; version: number; protection: ProtectedLabel },
  ) {
    const passed = { override: false, evaluationId: null }
    if (!protection.needsSuite) return passed
    const { id, label, user } = move
    const verdict = await gate.judge(tx, { kind, id, label, version, user })
    if (verdict.passed) return { ...passed, evaluationId: verdict.evaluationId }
    const canOverride = canOverrideGate(user, { ownerId: stored.ownerId, canEdit: true }, protection)
    requireOpenGate({ ...move, version, suites: verdict.suites, canOverride })
    return { ...passed, override: true }
  }

  /** The record is locked: of two moves at once the second sees where the first left the label. */
  async function place(tx: Transaction, move: Move & { stored: Stored }): Promise<MovedLabels> {
    const { stored, id, label, user, version, reason } = move
    const { labels, protected: protections } = await show(tx, { stored, user })
    const protection = protections.find((rule) => rule.label === label)
    if (protection?.canMove === false) {
      throw new AppError('forbidden', `You may not move ${label} on this ${kind}`)
    }
    const fromVersion = labels.find((each) => each.label === label)?.version ?? null
    if (fromVersion !== move.expectedVersion) throw labelMoved({ label, version: fromVersion })

    let release = { override: false, evaluationId: null as number | null }
    let links: MovedLabels['links'] = []
    if (version === null) {
      requireUnused(label, await findDependants(tx, { kind, id, label, user, canEdit: true }))
    } else {
      if (!(await hasVersion(tx, { kind, id, version }))) throw noSuchVersion({ kind, version })
      if (fromVersion === null && labels.length >= LABELS_MAX) throw tooManyLabels(kind)
      if (kind === 'chain') links = await listCurrentTextLinks(tx, { id, version })
      if (protection) {
        requireUnlinked({ label, links })
        if (version !== fromVersion) release = await requireReleasable(tx, { ...move, version, protection })
      }
    }
    if (version === fromVersion) return { ...(await show(tx, { stored, user })), moveId: null, links }
    const moved = { kind, id, label, userId: user.id, toVersion: version }
    await placeLabel(tx, moved)
    const moveId = await createMove(tx, { ...moved, ...release, fromVersion, reason })
    return { ...(await show(tx, { stored, user })), moveId, links }
  }

  return {
    /** Throws `not_found` for a record that the viewer can't see. */
    async list({ id, user }: Wanted): Promise<VersionLabels> {
      return show(db, { stored: await records.findVisible(db, { id, user }), user })
    },

    /** Throws `conflict` where the label is not where the caller saw it, and where a protected label refuses the version. */
    move(move: Move): Promise<MovedLabels> {
      return db.transaction(async (tx) => {
        const { id, user } = move
        return place(tx, { ...move, stored: await records.openForChange(tx, { id, user }) })
      })
    },

    /** A move like any other, back to where the label was: with the same rights, through the same gate. */
    undo({ moveId, ...wanted }: Omit<Move, 'label' | 'version' | 'expectedVersion'> & { moveId: number }) {
      return db.transaction(async (tx) => {
        const { id, user } = wanted
        const stored = await records.openForChange(tx, { id, user })
        const undone = await findOptionalMove(tx, { kind, id, moveId })
        if (undone === undefined) throw new AppError('not_found', 'Move not found')
        const { label, fromVersion: version, toVersion: expectedVersion } = undone
        const [last] = await listMoves(tx, { kind, id, label, before: undefined, limit: 1 })
        if (last?.id !== moveId) throw labelMoved({ label, version: last?.toVersion ?? null })
        return place(tx, { ...wanted, stored, label, version, expectedVersion })
      })
    },

    /** Newest first; with a time only those by which labels were live then. */
    async listMoves({
      id,
      user,
      query: { label, at, limit, cursor },
    }: Wanted & { query: ListLabelMovesQuery }): Promise<ListPage<LabelMove>> {
      await records.findVisible(db, { id, user })
      const listing = { kind, id, label, before: CURSOR.read(cursor), limit: limit + 1 }
      return toPage({
        rows: await (at === undefined ? listMoves(db, listing) : listMovesLiveAt(db, { ...listing, at })),
        limit,
        toItem: (move) => move,
        cursorOf: (move) => CURSOR.write(move.id),
      })
    },

    /** What asks for the label. */
    async listDependants({ id, user, label }: Wanted & { label: string }): Promise<LabelDependants> {
      const canEdit = records.canEdit(user, await records.findVisible(db, { id, user }))
      return findDependants(db, { kind, id, label, user, canEdit })
    },

    /** How much would end with the record; for who may change it. */
    async countDependants({ id, user }: Wanted): Promise<RecordDependants> {
      const stored = await records.findVisible(db, { id, user })
      if (!records.canEdit(user, stored)) throw new AppError('forbidden', `You may not change this ${kind}`)
      return countDependants(db, { kind, id })
    },
  }
}

export function noSuchVersion({ kind, version }: { kind: LabelledKind; version: number }): AppError {
  const message = `This ${kind} has no version ${version}`
  return new AppError('invalid', message, { details: [{ path: 'version', message }] })
}

function tooManyLabels(kind: LabelledKind): AppError {
  return new AppError('invalid', `A ${kind} has at most ${LABELS_MAX} labels`)
}
