import {
  type Chain,
  type ChainStep,
  LIST_BYTES_MAX,
  type ListedStep,
  type NamedBy,
  type User,
} from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import type { SqlContext } from '../../platform/context.ts'
import { clipFields } from '../../platform/list-page.ts'
import { readLinkedTexts } from '../prompts/prompts.ts'
import {
  type Change,
  canEditRecord,
  canExecuteRecord,
  canViewRecord,
  createRecordAccess,
  othersNamesOf,
} from '../records/records.ts'
import type { BriefChainRecord, ChainRecord, ListedStepRecord, StepRecord } from './chain-rows.sql.ts'
import { findOptionalStep, listSteps } from './chain-steps.sql.ts'
import { canDeleteChain } from './chains.policy.ts'
import { findChain, findOptionalChain, lockOptionalChain } from './chains.sql.ts'
import { guardTools, type OpenedChain } from './save-chain.ts'

interface ChainChange extends Change {
  stepId?: number
}

const { openForChange: open, ...access } = createRecordAccess<
  ChainRecord,
  SqlContext<Transaction>,
  ChainChange
>({
  noun: 'chain',
  canSee: canViewRecord,
  canChange: canEditRecord,
  lock: ({ db }, { id, user }) => lockOptionalChain(db, { id, viewerId: user.id }),
  show: (ctx, { stored, viewer, wanted: { stepId } }) => toChain(ctx, { chain: stored, viewer, stepId }),
})

export const { requireVisible, requireChangeable } = access

export async function openForChange(ctx: SqlContext<Transaction>, change: ChainChange): Promise<OpenedChain> {
  const chain = await open(ctx, change)
  return { ...chain, guardedTools: await guardTools(ctx, { chainId: chain.id, user: change.user }) }
}

export async function findVisible(
  { db }: SqlContext,
  { id, user }: { id: number; user: User | null },
): Promise<ChainRecord> {
  return requireVisible(await findOptionalChain(db, { id, viewerId: user?.id }), user)
}

export async function toStep(
  ctx: SqlContext,
  { step, viewer }: { step: StepRecord; viewer: User | null },
): Promise<ChainStep> {
  const textOf = await readLinkedTexts(ctx, { links: [step], viewer })
  return { ...withOthersNames(step, { linked: textOf(step), viewer }), linkedPrompt: textOf(step) ?? null }
}

interface Shown {
  chain: ChainRecord
  viewer: User | null
  stepId?: number | undefined
}

export async function toChain(ctx: SqlContext, { chain, viewer, stepId }: Shown): Promise<Chain> {
  const steps = await listSteps(ctx.db, chain.id)
  const textOf = await readLinkedTexts(ctx, { links: steps, viewer, isClipped: true })
  const listed = steps.map((step) => toListedStep(step, { linkedPrompt: textOf(step) ?? null, viewer }))
  const step =
    stepId === undefined ? undefined : await findOptionalStep(ctx.db, { id: stepId, chainId: chain.id })
  const whole = step && (await toStep(ctx, { step, viewer }))
  const shown = withinBytes(listed).map((each) => (each.id === whole?.id ? whole : each))
  return { ...withFlags(chain, viewer), steps: shown }
}

export async function readSaved(ctx: SqlContext, { id, user }: { id: number; user: User }): Promise<Chain> {
  return toChain(ctx, { chain: await findChain(ctx.db, { id, viewerId: user.id }), viewer: user })
}

/** With fewer steps, clipped texts always fit. */
const MANY_STEPS = 100
/** Leaves space for the chain's own texts. */
const STEPS_BYTES_MAX = LIST_BYTES_MAX - 100_000

/** For many steps with six-byte characters, the texts of linked prompts are left out. */
function withinBytes(steps: ListedStep[]): ListedStep[] {
  if (steps.length <= MANY_STEPS || Buffer.byteLength(JSON.stringify(steps)) < STEPS_BYTES_MAX) return steps
  return steps.map(({ linkedPrompt, ...step }) => ({
    ...step,
    linkedPrompt: linkedPrompt && {
      ...linkedPrompt,
      contentLength: linkedPrompt.contentLength ?? [...linkedPrompt.content].length,
      content: '',
      contentClipped: true,
    },
  }))
}

export function withFlags<Record extends BriefChainRecord>(
  { ownerId, shareRole, visibilityEpoch: _, ...shown }: Record,
  viewer: User | null,
) {
  const subject = { ownerId, shareRole, sharedLevel: shown.sharedLevel }
  return {
    ...shown,
    canView: canViewRecord(viewer, subject),
    canEdit: canEditRecord(viewer, subject),
    canDelete: canDeleteChain(viewer, subject),
    canExecute: canExecuteRecord(viewer, subject),
  }
}

type LinkedNames = NonNullable<ListedStep['linkedPrompt']> & { namedBy?: NamedBy }

/** In place of who brought each name in: the names that the viewer did not (D69). */
function withOthersNames<Step extends { namedBy: NamedBy }>(
  { namedBy, ...step }: Step,
  { linked, viewer }: { linked: { namedBy?: NamedBy } | null | undefined; viewer: User | null },
) {
  if (viewer === null) return { ...step, othersNames: [] }
  const ofLink = linked?.namedBy ?? {}
  const userId = viewer.id
  // The text of a linked step is the prompt's; the step's own is a copy of it.
  const own = Object.keys(namedBy).filter((name) => !Object.hasOwn(ofLink, name))
  const others = othersNamesOf(Object.keys(ofLink), { namedBy: ofLink, userId })
  return { ...step, othersNames: [...others, ...othersNamesOf(own, { namedBy, userId })] }
}

export function toListedStep(
  { contentLength = 0, systemPromptLength, isSettingsLong = false, ...step }: ListedStepRecord,
  { linkedPrompt, viewer }: { linkedPrompt: LinkedNames | null; viewer: User | null },
): ListedStep {
  const { contentClipped: systemPromptClipped, contentLength: length } = clipFields(systemPromptLength ?? 0)
  const systemClip = systemPromptClipped && { systemPromptClipped, systemPromptLength: length }
  const shown = withOthersNames(step, { linked: linkedPrompt, viewer })
  return { ...shown, ...clipFields(contentLength, isSettingsLong), ...systemClip, linkedPrompt }
}
