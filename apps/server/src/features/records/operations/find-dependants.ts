import type { LabelDependants, RecordDependants, User } from '@catenary/contracts'
import type { Executor } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import {
  countDependantRows,
  listLabelSchedules,
  listLabelTokens,
  listLinkingSteps,
  listReadTokens,
} from '../label-dependants.repository.ts'
import type { RecordKey } from '../record-port.ts'
import type { RecordsDeps } from '../records-deps.ts'

interface Wanted extends RecordKey {
  label: string
  user: User | null
}

interface WantedBy extends Wanted {
  /** Whether the user may change the record. */
  canEdit: boolean
}

const NONE: LabelDependants = { chains: [], schedules: [], tokens: [], readTokens: [], hidden: 0 }

/** What requests a label of a record, as far as the user may see it. Throws `not_found` for a hidden record. */
export async function listDependants({ db, ports }: RecordsDeps, wanted: Wanted): Promise<LabelDependants> {
  const { canEdit } = await ports[wanted.kind].findVisible({ db }, wanted)
  return findDependants(db, { ...wanted, canEdit })
}

/** How much would end with a record; for users who may change it. */
export async function countDependants(
  { db, ports }: RecordsDeps,
  { kind, id, user }: RecordKey & { user: User },
): Promise<RecordDependants> {
  const { canEdit } = await ports[kind].findVisible({ db }, { id, user })
  if (!canEdit) throw new AppError('forbidden', `You may not change this ${kind}`)
  return countDependantRows(db, { kind, id, viewer: user })
}

/** What requests a label, for callers who have asked whether the user may see the record. */
export async function findDependants(executor: Executor, wanted: WantedBy): Promise<LabelDependants> {
  return wanted.kind === 'chain' ? findOfChain(executor, wanted) : findOfPrompt(executor, wanted)
}

async function findOfPrompt(
  executor: Executor,
  { user, canEdit, ...of }: WantedBy,
): Promise<LabelDependants> {
  const steps = await listLinkingSteps(executor, { ...of, viewerId: user?.id })
  const chains = steps.flatMap(({ isVisible, ...step }) => (isVisible ? [step] : []))
  const readTokens = canEdit ? (await listReadTokens(executor, of)).map(tokenFor(user)) : []
  return { ...NONE, chains, readTokens, hidden: steps.length - chains.length }
}

interface DependantToken {
  id: number
  name: string
  createdBy: number
  lastUsed: Date | null
}

/** When it was used last is its creator's: what they call runs with their private values (D68). */
const tokenFor =
  (user: User | null) =>
  ({ lastUsed, createdBy, ...token }: DependantToken) => {
    const isSeen = createdBy === user?.id || user?.role === 'admin'
    return { ...token, lastUsed: isSeen ? (lastUsed?.toISOString() ?? null) : null }
  }

/** Schedules show to who made them and to editors, tokens to editors. */
async function findOfChain(executor: Executor, { user, canEdit, ...of }: WantedBy): Promise<LabelDependants> {
  const allSchedules = await listLabelSchedules(executor, of)
  const allTokens = await listLabelTokens(executor, of)
  const schedules = allSchedules.flatMap(({ createdBy, nextDueAt, hasKeptRuns, ...schedule }) => {
    const isMine = createdBy === user?.id
    if (!canEdit && !isMine) return []
    // Failures pause it: that it has no next time would tell of them (D68).
    const isKept = hasKeptRuns && !isMine && user?.role !== 'admin'
    return [{ ...schedule, nextDueAt: isKept ? null : (nextDueAt?.toISOString() ?? null) }]
  })
  const tokens = canEdit ? allTokens.map(tokenFor(user)) : []
  const hidden = allSchedules.length + allTokens.length - schedules.length - tokens.length
  return { ...NONE, schedules, tokens, hidden }
}
