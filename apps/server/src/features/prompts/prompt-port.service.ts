import type { User } from '@catenary/contracts'
import { othersNamesOf } from '../../consent.ts'
import type { RecordPort, RecordView } from '../records/records.ts'
import { restorePromptVersion } from './operations/change-prompt.ts'
import { withOthersNames } from './operations/read-prompts.ts'
import { findVisible, openForChange } from './prompt-access.service.ts'
import { endLostPromptAcceptances } from './prompt-offers.repository.ts'
import type { PromptRecord } from './prompt-record.ts'
import { findOptionalPromptVersion, listPromptVersions } from './prompt-versions.repository.ts'
import { canChangePrompt, canSharePrompt } from './prompts.policy.ts'
import { updatePromptSwitches } from './prompts.repository.ts'
import type { PromptsDeps } from './prompts-deps.ts'

/** Prompts as records: shared whatever their level is. */
export function createPromptPort(deps: PromptsDeps): RecordPort<'prompt'> {
  return {
    findVisible: async (executor, wanted) => toView(await findVisible(executor, wanted), wanted.user),
    openForChange: async (tx, change) => toView(await openForChange(tx, change), change.user),
    touch: async (tx, id) => {
      await endLostPromptAcceptances(tx, id)
      await updatePromptSwitches(tx, { id })
    },
    listVersions: async (executor, { user, ...part }) => {
      const rows = await listPromptVersions(executor, part)
      return rows.map(({ namedBy, ...version }) => ({
        ...version,
        othersNames: othersNamesOf(Object.keys(namedBy), { namedBy, userId: user.id }),
      }))
    },
    findVersion: async (executor, { user, ...wanted }) => {
      const found = await findOptionalPromptVersion(executor, wanted)
      return found && withOthersNames(found, user)
    },
    restoreVersion: (tx, change) => restorePromptVersion(deps, tx, change),
  }
}

function toView(prompt: PromptRecord, user: User | null): RecordView {
  const { id, owner, ownerId, version } = prompt
  const rights = { canEdit: canChangePrompt(user, prompt), canShare: canSharePrompt(user, prompt) }
  return { id, owner, ownerId, version, canView: true, ...rights }
}
