import type { User } from '@catenary/contracts'
import { othersNamesOf } from '../../consent.ts'
import { endLostAcceptances, type RecordPort, type RecordView } from '../records/records.ts'
import { restorePromptVersion } from './change-prompt.ts'
import { findOptionalPromptVersion, listPromptVersions } from './prompt-versions.sql.ts'
import { canChangePrompt, canSharePrompt } from './prompts.policy.ts'
import { type PromptRecord, updatePromptSwitches } from './prompts.sql.ts'
import { findVisible, openForChange, withOthersNames } from './read-prompts.ts'

/** Prompts as records: shared whatever their level is. */
export const promptPort: RecordPort<'prompt'> = {
  findVisible: async (ctx, wanted) => toView(await findVisible(ctx, wanted), wanted.user),
  openForChange: async (ctx, change) => toView(await openForChange(ctx, change), change.user),
  touch: async ({ db }, id) => {
    await endLostAcceptances(db, { kind: 'prompt', id })
    await updatePromptSwitches(db, { id })
  },
  listVersions: async ({ db }, { user, ...part }) => {
    const rows = await listPromptVersions(db, part)
    return rows.map(({ namedBy, ...version }) => ({
      ...version,
      othersNames: othersNamesOf(Object.keys(namedBy), { namedBy, userId: user.id }),
    }))
  },
  findVersion: async ({ db }, { user, ...wanted }) => {
    const found = await findOptionalPromptVersion(db, wanted)
    return found && withOthersNames(found, user)
  },
  restoreVersion: restorePromptVersion,
}

function toView(prompt: PromptRecord, user: User | null): RecordView {
  const { id, owner, ownerId, version } = prompt
  const rights = { canEdit: canChangePrompt(user, prompt), canShare: canSharePrompt(user, prompt) }
  return { id, owner, ownerId, version, canView: true, ...rights }
}
