import type { Prompt, User } from '@catenary/contracts'
import { othersNamesOf } from '../../consent.ts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { createRecordAccess } from '../../record-access.ts'
import type { PromptRecord } from './prompt-record.ts'
import { canChangePrompt, canSeePrompt, promptPermissions } from './prompts.policy.ts'
import { findOptionalPrompt, lockOptionalPrompt } from './prompts.repository.ts'

/** How every operation on a prompt begins: may this person do it, and is the prompt what they saw? */
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

/** The viewer's rights, in place of the fields that decide them. */
export function toPrompt({ namedBy, ...record }: PromptRecord, viewer: User | null): Prompt {
  const names = viewer === null ? [] : Object.keys(namedBy)
  const othersNames = othersNamesOf(names, { namedBy, userId: viewer?.id })
  return { ...withRights(record, viewer), othersNames }
}

/** The same without what is read of the texts for it, as lists carry it. */
export function withRights<Record extends Omit<PromptRecord, 'namedBy'>>(
  { ownerId, shareRole, ...shown }: Record,
  viewer: User | null,
) {
  return { ...shown, ...promptPermissions(viewer, { ownerId, shareRole, isPublic: shown.isPublic }) }
}
