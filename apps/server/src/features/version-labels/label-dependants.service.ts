import type { LabelDependants, LabelledKind, User } from '@catenary/contracts'
import type { Executor } from '../../db/executor.ts'
import {
  listLabelSchedules,
  listLabelTokens,
  listLinkingSteps,
  listReadTokens,
} from './label-dependants.repository.ts'

interface Wanted {
  kind: LabelledKind
  id: number
  label: string
  user: User | null
  /** The person may change the record. */
  canEdit: boolean
}

const NONE: LabelDependants = { chains: [], schedules: [], tokens: [], readTokens: [], hidden: 0 }

/** What asks for a label of a record, as far as the person may see it. */
export async function findDependants(executor: Executor, wanted: Wanted): Promise<LabelDependants> {
  return wanted.kind === 'chain' ? askingForChain(executor, wanted) : askingForPrompt(executor, wanted)
}

async function askingForPrompt(
  executor: Executor,
  { user, canEdit, ...of }: Wanted,
): Promise<LabelDependants> {
  const steps = await listLinkingSteps(executor, { ...of, viewerId: user?.id })
  const chains = steps.flatMap(({ isVisible, ...step }) => (isVisible ? [step] : []))
  const readTokens = canEdit ? (await listReadTokens(executor, of)).map(toToken) : []
  return { ...NONE, chains, readTokens, hidden: steps.length - chains.length }
}

const toToken = ({ lastUsed, ...token }: { id: number; name: string; lastUsed: Date | null }) => ({
  ...token,
  lastUsed: lastUsed?.toISOString() ?? null,
})

/** Schedules show to who made them and to editors, tokens to editors. */
async function askingForChain(
  executor: Executor,
  { user, canEdit, ...of }: Wanted,
): Promise<LabelDependants> {
  const allSchedules = await listLabelSchedules(executor, of)
  const allTokens = await listLabelTokens(executor, of)
  const schedules = allSchedules.flatMap(({ createdBy, nextDueAt, ...schedule }) =>
    canEdit || createdBy === user?.id ? [{ ...schedule, nextDueAt: nextDueAt?.toISOString() ?? null }] : [],
  )
  const tokens = canEdit ? allTokens.map(toToken) : []
  const hidden = allSchedules.length + allTokens.length - schedules.length - tokens.length
  return { ...NONE, schedules, tokens, hidden }
}
