import { type Chain, type ChainStep, LIST_BYTES_MAX, type ListedStep, type User } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { clipFields } from '../../list-page.ts'
import { type Change, createRecordAccess } from '../../record-access.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { BriefChainRecord, ChainRecord, ListedStepRecord, StepRecord } from './chain-record.ts'
import { findOptionalStep, listSteps } from './chain-steps.repository.ts'
import { canDeleteChain, canEditChain, canExecuteChain, canViewChain } from './chains.policy.ts'
import { findOptionalChain, lockOptionalChain } from './chains.repository.ts'

export type ChainAccess = ReturnType<typeof createChainAccess>

interface ChainChange extends Change {
  /** The step to change. */
  stepId?: number
}

/** What all that is done to a chain begins with: may this person, and is it what they saw. */
export function createChainAccess({ links }: { links: Pick<PromptsService['links'], 'read'> }) {
  async function toSteps(
    executor: Executor,
    { steps, viewer }: { steps: StepRecord[]; viewer: User | null },
  ) {
    const textOf = await links.read(executor, { links: steps, viewer })
    return steps.map((step): ChainStep => ({ ...step, linkedPrompt: textOf(step) ?? null }))
  }

  /** The chain as it is given away: with the beginnings of its steps' texts (D51), and the whole ones of that step. */
  async function toChain(
    executor: Executor,
    { chain, viewer, stepId }: { chain: ChainRecord; viewer: User | null; stepId?: number | undefined },
  ): Promise<Chain> {
    const steps = await listSteps(executor, chain.id)
    const textOf = await links.read(executor, { links: steps, viewer, isClipped: true })
    const listed = steps.map((step): ListedStep => toListedStep(step, textOf(step) ?? null))
    const step =
      stepId === undefined ? undefined : await findOptionalStep(executor, { id: stepId, chainId: chain.id })
    const whole = step ? await toSteps(executor, { steps: [step], viewer }) : []
    const shown = withinBytes(listed).map((each) => whole.find(({ id }) => id === each.id) ?? each)
    return { ...withFlags(chain, viewer), steps: shown }
  }

  const { requireVisible, requireChangeable, openForChange } = createRecordAccess<
    ChainRecord,
    Transaction,
    ChainChange
  >({
    noun: 'chain',
    canSee: canViewChain,
    canChange: canEditChain,
    lock: (tx, { id, user }) => lockOptionalChain(tx, { id, viewerId: user.id }),
    show: (tx, { stored, viewer, wanted: { stepId } }) => toChain(tx, { chain: stored, viewer, stepId }),
  })

  return {
    toSteps,
    toChain,
    requireVisible,
    requireChangeable,
    openForChange,

    /** Throws `not_found` for a chain that the viewer can't see. */
    async findVisible(
      executor: Executor,
      { id, user }: { id: number; user: User | null },
    ): Promise<ChainRecord> {
      return requireVisible(await findOptionalChain(executor, { id, viewerId: user?.id }), user)
    },
  }
}

/** With fewer steps, clipped texts always fit. */
const MANY_STEPS = 100
/** The chain's own texts come beside. */
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

/** What the viewer may do, in place of why. */
export function withFlags<Record extends BriefChainRecord>(
  { ownerId, shareRole, visibilityEpoch: _, ...shown }: Record,
  viewer: User | null,
) {
  const subject = { ownerId, shareRole, sharedLevel: shown.sharedLevel }
  return {
    ...shown,
    canView: canViewChain(viewer, subject),
    canEdit: canEditChain(viewer, subject),
    canDelete: canDeleteChain(viewer, subject),
    canExecute: canExecuteChain(viewer, subject),
  }
}

/** A step with the beginnings of its texts, as it says of itself. */
export function toListedStep(
  { contentLength = 0, systemPromptLength, ...step }: ListedStepRecord,
  linkedPrompt: ListedStep['linkedPrompt'],
): ListedStep {
  const { contentClipped: systemPromptClipped, contentLength: length } = clipFields(systemPromptLength ?? 0)
  return {
    ...step,
    ...clipFields(contentLength),
    ...(systemPromptClipped && { systemPromptClipped, systemPromptLength: length }),
    linkedPrompt,
  }
}
