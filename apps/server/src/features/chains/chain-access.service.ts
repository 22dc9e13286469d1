import type { Chain, ChainStep, ListedStep, User } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { clipMarks } from '../../list-page.ts'
import { createRecordAccess } from '../../record-access.ts'
import type { PromptsService } from '../prompts/prompts.service.ts'
import {
  type ListedStepRecord,
  listSteps,
  readSteps as readWholeSteps,
  type StepRecord,
} from './chain-steps.repository.ts'
import { canDeleteChain, canEditChain, canExecuteChain, canViewChain } from './chains.policy.ts'
import { type ChainRecord, findOptionalChain, lockOptionalChain } from './chains.repository.ts'

export type ChainAccess = ReturnType<typeof createChainAccess>

/** What all that is done to a chain begins with: may this person, and is it what they saw. */
export function createChainAccess({
  prompts,
}: {
  prompts: Pick<PromptsService, 'listVisible' | 'listVisibleClips'>
}) {
  async function toSteps(
    executor: Executor,
    { steps, viewer }: { steps: StepRecord[]; viewer: User | null },
  ) {
    const ids = steps.flatMap(({ promptId }) => promptId ?? [])
    const linked = await prompts.listVisible(executor, { ids, user: viewer })
    return steps.map((step): ChainStep => ({ ...step, linkedPrompt: linked.get(step.promptId ?? 0) ?? null }))
  }

  /** The chain as it is given away: with the beginnings of its steps' texts (D51). */
  async function toChain(
    executor: Executor,
    { chain, viewer }: { chain: ChainRecord; viewer: User | null },
  ): Promise<Chain> {
    const steps = await listSteps(executor, chain.id)
    const ids = steps.flatMap(({ promptId }) => promptId ?? [])
    const linked = await prompts.listVisibleClips(executor, { ids, user: viewer })
    const listed = steps.map((step): ListedStep => toListedStep(step, linked.get(step.promptId ?? 0) ?? null))
    return { ...withFlags(chain, viewer), steps: listed }
  }

  /** The chain's steps in order, with their whole texts. */
  async function readSteps(
    executor: Executor,
    { chainId, viewer }: { chainId: number; viewer: User | null },
  ): Promise<ChainStep[]> {
    return toSteps(executor, { steps: await readWholeSteps(executor, chainId), viewer })
  }

  const { requireVisible, openForChange } = createRecordAccess<ChainRecord, Transaction>({
    noun: 'chain',
    canSee: canViewChain,
    canChange: canEditChain,
    lock: (tx, { id, user }) => lockOptionalChain(tx, { id, viewerId: user.id }),
    show: (tx, { stored, viewer }) => toChain(tx, { chain: stored, viewer }),
  })

  return {
    toSteps,
    toChain,
    readSteps,
    requireVisible,
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

/** What the viewer may do, in place of why. */
export function withFlags({ ownerId, shareRole, ...shown }: ChainRecord, viewer: User | null) {
  const subject = { ownerId, shareRole, sharedLevel: shown.sharedLevel }
  return {
    ...shown,
    canView: canViewChain(viewer, subject),
    canEdit: canEditChain(viewer, subject),
    canDelete: canDeleteChain(viewer, subject),
    canExecute: canExecuteChain(viewer, subject),
  }
}

function toListedStep(
  { contentLength, systemPromptLength, ...step }: ListedStepRecord,
  linkedPrompt: ListedStep['linkedPrompt'],
): ListedStep {
  const { contentClipped: systemPromptClipped, contentLength: length } = clipMarks(systemPromptLength ?? 0)
  return {
    ...step,
    ...clipMarks(contentLength),
    ...(systemPromptClipped && { systemPromptClipped, systemPromptLength: length }),
    linkedPrompt,
  }
}
