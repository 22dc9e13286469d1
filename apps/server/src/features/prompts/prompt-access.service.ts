import type { Prompt, User } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { createRecordAccess } from '../../record-access.ts'
import type { PromptRecord } from './prompt-record.ts'
import { canChangePrompt, canSeePrompt, promptPermissions } from './prompts.policy.ts'
import { findOptionalPrompt, lockOptionalPrompt } from './prompts.repository.ts'

/** What all that is done to a prompt begins with: may this person, and is it what they saw. */
export const { requireVisible, requireChangeable, openForChange } = createRecordAccess<
  PromptRecord,
  Transaction
>({
  noun: 'prompt',
  canSee: canSeePrompt,
  canChange: canChangePrompt,
  lock: (tx, { id, user }) => lockOptionalPrompt(tx, { id, viewerId: user.id }),
  show: (_tx, { stored, viewer }) => toPrompt(stored, viewer),
})

/** Throws `not_found` for a prompt that the person can't see. */
export async function findVisible(
  executor: Executor,
  { id, user }: { id: number; user: User | null },
): Promise<PromptRecord> {
  return requireVisible(await findOptionalPrompt(executor, { id, viewerId: user?.id ?? null }), user)
}

/** What the viewer may do, in place of why. */
export function toPrompt({ ownerId, shareRole, ...shown }: PromptRecord, viewer: User | null): Prompt {
  return { ...shown, ...promptPermissions(viewer, { ownerId, shareRole, isPublic: shown.isPublic }) }
}
