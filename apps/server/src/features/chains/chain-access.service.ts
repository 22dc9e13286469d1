import type { Chain, ChainStep, User } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { createRecordAccess } from '../../record-access.ts'
import type { PromptsService } from '../prompts/prompts.service.ts'
import { listSteps, type StepRecord } from './chain-steps.repository.ts'
import { canDeleteChain, canEditChain, canExecuteChain, canViewChain } from './chains.policy.ts'
import { type ChainRecord, findOptionalChain, lockOptionalChain } from './chains.repository.ts'

export type ChainAccess = ReturnType<typeof createChainAccess>

/** What all that is done to a chain begins with: may this person, and is it what they saw. */
export function createChainAccess({ prompts }: { prompts: Pick<PromptsService, 'listVisible'> }) {
  async function toSteps(
    executor: Executor,
    { steps, viewer }: { steps: StepRecord[]; viewer: User | null },
  ) {
    const ids = steps.flatMap(({ promptId }) => promptId ?? [])
    const linked = await prompts.listVisible(executor, { ids, user: viewer })
    return steps.map((step): ChainStep => ({ ...step, linkedPrompt: linked.get(step.promptId ?? 0) ?? null }))
  }

  async function toChain(
    executor: Executor,
    { chain, viewer }: { chain: ChainRecord; viewer: User | null },
  ): Promise<Chain> {
    const steps = await listSteps(executor, chain.id)
    return { ...withFlags(chain, viewer), steps: await toSteps(executor, { steps, viewer }) }
  }

  const { requireVisible, requireChangeable, openForChange } = createRecordAccess<ChainRecord, Transaction>({
    noun: 'chain',
    canSee: canViewChain,
    canChange: canEditChain,
    lock: (tx, { id, user }) => lockOptionalChain(tx, { id, viewerId: user.id }),
    show: (tx, { stored, viewer }) => toChain(tx, { chain: stored, viewer }),
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
