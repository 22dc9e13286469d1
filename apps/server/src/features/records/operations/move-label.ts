import {
  LABELS_MAX,
  type MovedLabels,
  type MoveLabelRequest,
  type ProtectedLabel,
  type User,
} from '@catenary/contracts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import {
  labelMoved,
  noSuchVersion,
  requireOpenGate,
  requireUnlinked,
  requireUnused,
  tooManyLabels,
} from '../label-errors.ts'
import { canOverrideGate } from '../labels.policy.ts'
import {
  createMove,
  findOptionalMove,
  listCurrentTextLinks,
  listMoves,
  saveLabel,
} from '../labels.repository.ts'
import type { RecordKey, RecordView } from '../record-port.ts'
import type { RecordsDeps } from '../records-deps.ts'
import { hasVersion } from '../versions.repository.ts'
import { findDependants } from './find-dependants.ts'
import { toVersionLabels } from './read-labels.ts'
import { tellMove, withGateTold } from './tell-labels.ts'

/** A label that is to point elsewhere, or nowhere. */
export interface Move extends RecordKey, Pick<MoveLabelRequest, 'reason' | 'override'> {
  label: string
  user: User
  expectedVersion: number | null
  version: number | null
}

/** Throws `conflict` where the label is not where the caller saw it, and where a protected label refuses the version. */
export function moveLabel(deps: RecordsDeps, move: Move): Promise<MovedLabels> {
  const moved = deps.db.transaction(async (tx) => {
    const { kind, id, user } = move
    const record = await deps.ports[kind].openForChange({ db: tx }, { id, user })
    return applyMove(deps, tx, { record, move })
  })
  return withGateTold(deps, move, moved)
}

/** A move like any other, back to where the label was: with the same rights, through the same gate. */
export function undoMove(
  deps: RecordsDeps,
  { moveId, ...wanted }: Omit<Move, 'label' | 'version' | 'expectedVersion'> & { moveId: number },
): Promise<MovedLabels> {
  const moved = deps.db.transaction(async (tx) => {
    const { kind, id, user } = wanted
    const record = await deps.ports[kind].openForChange({ db: tx }, { id, user })
    const undone = await findOptionalMove(tx, { kind, id, moveId })
    if (undone === undefined) throw new AppError('not_found', 'Move not found')
    const { label, fromVersion: version, toVersion: expectedVersion } = undone
    const [last] = await listMoves(tx, { kind, id, label, before: undefined, limit: 1 })
    if (last?.id !== moveId) throw labelMoved({ label, version: last?.toVersion ?? null })
    return applyMove(deps, tx, { record, move: { ...wanted, label, version, expectedVersion } })
  })
  return withGateTold(deps, wanted, moved)
}

/** The record is locked: of two moves at once the second sees where the first left the label. */
export async function applyMove(
  deps: RecordsDeps,
  tx: Transaction,
  { record, move }: { record: RecordView; move: Move },
): Promise<MovedLabels> {
  const { kind, id, label, user, version, reason } = move
  const before = await toVersionLabels(tx, { kind, record, user })
  const protection = before.protected.find((rule) => rule.label === label)
  if (protection?.canMove === false) {
    throw new AppError('forbidden', `You may not move ${label} on this ${kind}`)
  }
  const fromVersion = before.labels.find((each) => each.label === label)?.version ?? null
  if (fromVersion !== move.expectedVersion) throw labelMoved({ label, version: fromVersion })

  const labelCount = before.labels.length
  const { links, release } =
    version === null
      ? await checkRemoval(tx, move)
      : await checkTarget(deps, tx, {
          record,
          move: { ...move, version },
          protection,
          fromVersion,
          labelCount,
        })
  if (version === fromVersion) return { ...before, moveId: null, links }
  const moved = { kind, id, label, userId: user.id, toVersion: version }
  await saveLabel(tx, moved)
  const moveId = await createMove(tx, { ...moved, ...release, fromVersion, reason })
  await tellMove(deps, tx, { ...moved, moveId, fromVersion })
  return { ...(await toVersionLabels(tx, { kind, record, user })), moveId, links }
}

interface Checked {
  /** Steps that take the current text of a prompt. */
  links: MovedLabels['links']
  release: { override: boolean; evaluationId: number | null }
}

const NO_RELEASE = { override: false, evaluationId: null }

async function checkRemoval(tx: Transaction, { kind, id, label, user }: Move): Promise<Checked> {
  requireUnused(label, await findDependants(tx, { kind, id, label, user, canEdit: true }))
  return { links: [], release: NO_RELEASE }
}

interface Targeted {
  record: RecordView
  move: Move & { version: number }
  protection: ProtectedLabel | undefined
  fromVersion: number | null
  labelCount: number
}

/** Whether the label may point to the version; a protected label asks more. */
async function checkTarget(deps: RecordsDeps, tx: Transaction, targeted: Targeted): Promise<Checked> {
  const { move, protection, fromVersion, labelCount } = targeted
  const { kind, id, label, version } = move
  if (!(await hasVersion(tx, { kind, id, number: version }))) throw noSuchVersion({ kind, version })
  if (fromVersion === null && labelCount >= LABELS_MAX) throw tooManyLabels(kind)
  const links = kind === 'chain' ? await listCurrentTextLinks(tx, { id, version }) : []
  if (protection === undefined) return { links, release: NO_RELEASE }
  requireUnlinked({ label, links })
  if (version === fromVersion) return { links, release: NO_RELEASE }
  return { links, release: await passGate(deps, tx, { ...targeted, protection }) }
}

async function passGate(
  { gate }: RecordsDeps,
  tx: Transaction,
  { record, move, protection }: Targeted & { protection: ProtectedLabel },
): Promise<Checked['release']> {
  if (!protection.needsSuite) return NO_RELEASE
  const { kind, id, label, version, user, override, reason } = move
  const verdict = await gate.judge(tx, { kind, id, label, version, user })
  if (verdict.passed) return { override: false, evaluationId: verdict.evaluationId }
  const canOverride = canOverrideGate(user, { ownerId: record.ownerId, canEdit: true }, protection)
  requireOpenGate({ label, version, override, reason, suites: verdict.suites, canOverride })
  return { override: true, evaluationId: null }
}
