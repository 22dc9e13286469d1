import type { LabelDependants, RecordDependants, User } from '@catenary/contracts'
import type { Context, SqlContext } from '../../platform/context.ts'
import { findEditableRecord, findRecord } from './find-record.ts'
import {
  countDependantRows,
  listLabelSchedules,
  listLabelTokens,
  listLinkingSteps,
  listReadTokens,
} from './label-dependants.sql.ts'
import type { RecordKey } from './record-kinds.sql.ts'

interface Wanted extends RecordKey {
  label: string
  user: User | null
}

interface WantedBy extends Wanted {
  canEdit: boolean
}

const NONE: LabelDependants = { chains: [], schedules: [], tokens: [], readTokens: [], hidden: 0 }

export async function listDependants(ctx: Context, wanted: Wanted): Promise<LabelDependants> {
  const { canEdit } = await findRecord(ctx, wanted)
  return findDependants(ctx, { ...wanted, canEdit })
}

export async function countDependants(
  ctx: Context,
  { user, ...record }: RecordKey & { user: User },
): Promise<RecordDependants> {
  await findEditableRecord(ctx, { ...record, user })
  return countDependantRows(ctx.db, { ...record, viewer: user })
}

export async function findDependants(ctx: SqlContext, wanted: WantedBy): Promise<LabelDependants> {
  return wanted.kind === 'chain' ? findOfChain(ctx, wanted) : findOfPrompt(ctx, wanted)
}

async function findOfPrompt(
  { db }: SqlContext,
  { user, canEdit, ...of }: WantedBy,
): Promise<LabelDependants> {
  const steps = await listLinkingSteps(db, { ...of, viewerId: user?.id })
  const chains = steps.flatMap(({ isVisible, ...step }) => (isVisible ? [step] : []))
  const readTokens = canEdit ? (await listReadTokens(db, of)).map(tokenFor(user)) : []
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
async function findOfChain({ db }: SqlContext, { user, canEdit, ...of }: WantedBy): Promise<LabelDependants> {
  const allSchedules = await listLabelSchedules(db, of)
  const allTokens = await listLabelTokens(db, of)
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
