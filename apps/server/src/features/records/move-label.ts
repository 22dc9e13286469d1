import { randomUUID } from 'node:crypto'
import {
  LABELS_MAX,
  type MovedLabels,
  type MoveLabelRequest,
  type RecordKind,
  type User,
  type VersionLabels,
} from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { recordObject, tellEvent } from '../webhooks/webhooks.ts'
import { openRecord, type RecordView } from './find-record.ts'
import { findDependants } from './label-dependants.ts'
import {
  GateClosedError,
  labelMoved,
  noSuchVersion,
  requireOpenGate,
  requireUnlinked,
  requireUnused,
  tooManyLabels,
} from './label-errors.ts'
import {
  createMove,
  findOptionalMove,
  listCurrentTextLinks,
  listLabels,
  listMoves,
  listProtections,
  saveLabel,
} from './labels.sql.ts'
import { toVersionLabels } from './read-labels.ts'
import type { RecordKey } from './record-kinds.sql.ts'
import { releaseGateSlot } from './release-gate.ts'
import { hasVersion } from './versions.sql.ts'

export interface Move extends RecordKey, Pick<MoveLabelRequest, 'reason' | 'override'> {
  label: string
  user: User
  expectedVersion: number | null
  version: number | null
}

/** Throws `conflict` where the label is not where the caller saw it, and where a protected label refuses the version. */
export function moveLabel(ctx: Context, move: Move): Promise<MovedLabels> {
  const moved = transaction(ctx, async (ctx) => {
    const { kind, id, user } = move
    const record = await openRecord(ctx, { kind, id, user })
    return applyMove(ctx, { record, move })
  })
  return withGateTold(ctx, move, moved)
}

/** A move like any other, back to where the label was: with the same rights, through the same gate. */
export function undoMove(
  ctx: Context,
  { moveId, ...wanted }: Omit<Move, 'label' | 'version' | 'expectedVersion'> & { moveId: number },
): Promise<MovedLabels> {
  const moved = transaction(ctx, async (ctx) => {
    const { kind, id, user } = wanted
    const record = await openRecord(ctx, { kind, id, user })
    const undone = await findOptionalMove(ctx.db, { kind, id, moveId })
    if (undone === undefined) throw new AppError('not_found', 'Move not found')
    const { label, fromVersion: version, toVersion: expectedVersion } = undone
    const [last] = await listMoves(ctx.db, { kind, id, label, before: undefined, limit: 1 })
    if (last?.id !== moveId) throw labelMoved({ label, version: last?.toVersion ?? null })
    return applyMove(ctx, { record, move: { ...wanted, label, version, expectedVersion } })
  })
  return withGateTold(ctx, wanted, moved)
}

/** The record is locked: of two simultaneous moves the second sees where the first left the label. */
async function applyMove(
  ctx: Context<Transaction>,
  { record, move }: { record: RecordView; move: Move },
): Promise<MovedLabels> {
  const { kind, id, label, user, version, reason } = move
  const before = await toVersionLabels(ctx, { kind, record, user })
  const protection = before.protected.find((rule) => rule.label === label)
  if (protection?.canMove === false) {
    throw new AppError('forbidden', `You can’t move ${label} on this ${kind}`)
  }
  const fromVersion = before.labels.find((each) => each.label === label)?.version ?? null
  if (fromVersion !== move.expectedVersion) throw labelMoved({ label, version: fromVersion })

  const labelCount = before.labels.length
  const { links, release } =
    version === null
      ? await checkRemoval(ctx, move)
      : await checkTarget(ctx, { move: { ...move, version }, protection, fromVersion, labelCount })
  if (version === fromVersion) return { ...before, moveId: null, links }
  const moved = { kind, id, label, userId: user.id, toVersion: version }
  await saveLabel(ctx.db, moved)
  const moveId = await createMove(ctx.db, { ...moved, ...release, fromVersion, reason })
  await notifyMove(ctx, { ...moved, moveId, fromVersion })
  await recordActivity(ctx, {
    kind: 'label.moved',
    object: kind,
    id,
    ownerId: record.ownerId,
    before: { label, version: fromVersion },
    after: { label, version, moveId },
  })
  return { ...(await toVersionLabels(ctx, { kind, record, user })), moveId, links }
}

interface Checked {
  links: MovedLabels['links']
  release: { override: boolean; evaluationId: number | null }
}

const NO_RELEASE = { override: false, evaluationId: null }

async function checkRemoval(ctx: SqlContext, { kind, id, label, user }: Move): Promise<Checked> {
  requireUnused(label, await findDependants(ctx, { kind, id, label, user, canEdit: true }))
  return { links: [], release: NO_RELEASE }
}

type Protection = VersionLabels['protected'][number]

interface Targeted {
  move: Move & { version: number }
  protection: Protection | undefined
  fromVersion: number | null
  labelCount: number
}

async function checkTarget(ctx: Context<Transaction>, targeted: Targeted): Promise<Checked> {
  const { move, protection, fromVersion, labelCount } = targeted
  const { kind, id, label, version } = move
  if (!(await hasVersion(ctx.db, { kind, id, number: version }))) throw noSuchVersion({ kind, version })
  if (fromVersion === null && labelCount >= LABELS_MAX) throw tooManyLabels(kind)
  const links = kind === 'chain' ? await listCurrentTextLinks(ctx.db, { id, version }) : []
  if (protection === undefined) return { links, release: NO_RELEASE }
  requireUnlinked({ label, links })
  if (version === fromVersion) return { links, release: NO_RELEASE }
  return { links, release: await passGate(ctx, { ...targeted, protection }) }
}

async function passGate(
  ctx: Context<Transaction>,
  { move, protection }: Targeted & { protection: Protection },
): Promise<Checked['release']> {
  if (!protection.needsSuite) return NO_RELEASE
  const { kind, id, label, version, user, override, reason } = move
  const verdict = await releaseGateSlot.of(ctx).judge(ctx.db, { kind, id, label, version, user })
  if (verdict.passed) return { override: false, evaluationId: verdict.evaluationId }
  const { canOverride } = protection
  requireOpenGate({ label, version, override, reason, suites: verdict.suites, canOverride })
  return { override: true, evaluationId: null }
}

interface PlainMove extends RecordKey {
  label: string
  user: User
  reason: string
}

/** Moves a label that nobody protects to the current version. Throws `forbidden` for a protected one. */
export async function moveUnprotectedLabel(
  ctx: Context<Transaction>,
  { kind, id, label, user, reason }: PlainMove,
): Promise<void> {
  await requireUnprotected(ctx, label)
  const record = await openRecord(ctx, { kind, id, user })
  const before = (await listLabels(ctx.db, { kind, id })).find((each) => each.label === label)
  const move = { kind, id, label, user, reason, override: false, version: record.version }
  await applyMove(ctx, { record, move: { ...move, expectedVersion: before?.version ?? null } })
}

async function requireUnprotected(ctx: SqlContext, label: string): Promise<void> {
  if (!(await isProtected(ctx, label))) return
  throw new AppError('forbidden', `${label} is protected. Only a person can move it, under Versions.`)
}

async function isProtected({ db }: SqlContext, label: string): Promise<boolean> {
  return (await listProtections(db, undefined)).some((each) => each.label === label)
}

interface NewLabel extends RecordKey {
  kind: RecordKind
  label: string
  user: User
}

/** Points a label of a record that is new to its first version, unless it is protected; whether it did. */
export async function labelNewRecord(
  ctx: SqlContext<Transaction>,
  { kind, id, label, user }: NewLabel,
): Promise<boolean> {
  if (await isProtected(ctx, label)) return false
  const move = { kind, id, label, userId: user.id, toVersion: 1 }
  await saveLabel(ctx.db, { ...move, isOfRecord: true })
  await createMove(ctx.db, {
    ...move,
    fromVersion: null,
    reason: 'Imported',
    override: false,
    evaluationId: null,
  })
  return true
}

interface ToldMove extends RecordKey {
  moveId: number
  label: string
  userId: number
  fromVersion: number | null
  toVersion: number | null
}

/** In the move's transaction. The reason is a person's own words, and is not sent. */
function notifyMove(ctx: Context<Transaction>, move: ToldMove): Promise<void> {
  const { kind, id, moveId, label, fromVersion, toVersion, userId: movedBy } = move
  return tellEvent(ctx, {
    type: 'label.moved',
    key: `label:${kind}:${moveId}`,
    object: recordObject({ kind, id }),
    audience: { kind, id },
    data: { record: { kind, id }, moveId, label, fromVersion, toVersion, movedBy },
  })
}

/** A closed gate leaves no row: it is told once the move's transaction is rolled back. */
async function withGateTold<Moved>(
  ctx: Context,
  { kind, id }: RecordKey,
  moving: Promise<Moved>,
): Promise<Moved> {
  try {
    return await moving
  } catch (error) {
    if (error instanceof GateClosedError) {
      const { label, version, suites } = error
      const failed = suites.map(({ suiteId, evaluationId }) => ({ suiteId, evaluationId }))
      await tellEvent(ctx, {
        type: 'gate.failed',
        key: `gate:${randomUUID()}`,
        object: recordObject({ kind, id }),
        audience: { kind, id },
        data: { record: { kind, id }, label, version, suites: failed },
      })
    }
    throw error
  }
}
