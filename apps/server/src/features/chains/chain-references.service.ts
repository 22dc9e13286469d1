import type { User, VariableUsage } from '@catenary/contracts'
import { namedAfterRename } from '../../consent.ts'
import type { Database, Transaction } from '../../db/executor.ts'
import { stepSettingsOf } from '../../model-settings.ts'
import { renameInTemplates } from '../../rename-in-templates.ts'
import {
  countChainsByReference,
  listReferringChains,
  listReferringSteps,
  lockReferringChains,
  touchChains,
  updateStepTexts,
} from './chain-references.repository.ts'
import { canEditChain } from './chains.policy.ts'

/** Finds chains whose steps refer to a variable by name, ignoring case. */
export function createChainReferencesService({ db }: { db: Database }) {
  return {
    /** Lower-case name → number of chains with such a reference: the person's own, and those shared with them. */
    async countByName({ id }: User): Promise<Map<string, number>> {
      const rows = await countChainsByReference(db, { userId: id })
      return new Map(rows.map((row) => [row.name, row.count]))
    },

    async listByName({ name, viewer }: { name: string; viewer: User }): Promise<VariableUsage['chains']> {
      const rows = await listReferringChains(db, { viewerId: viewer.id, name: name.toLowerCase() })
      return rows.map(({ id, name, steps, ...subject }) => ({
        id,
        name,
        steps,
        canEdit: canEditChain(viewer, subject),
      }))
    },

    /** Writes the new name into the steps of the user's own chains, each with a new revision. */
    async rename(
      tx: Transaction,
      { from, to, user }: { from: string; to: string; user: User },
    ): Promise<void> {
      const name = from.toLowerCase()
      const chainIds = await lockReferringChains(tx, { ownerId: user.id, name })
      if (chainIds.length === 0) return
      const changed = new Set<number>()
      for (const { id, chainId, title, settings, namedBy: before, ...texts } of await listReferringSteps(tx, {
        chainIds,
        name,
      })) {
        const renamed = renameInTemplates(
          { ...texts, messages: settings?.messages ?? [] },
          { from, to, of: `the step “${title}”` },
        )
        if (renamed === null) continue
        const { messages, ...columns } = renamed
        const namedBy = namedAfterRename(before, { from, to, userId: user.id })
        await updateStepTexts(tx, {
          id,
          ...columns,
          namedBy,
          settings: stepSettingsOf({ ...settings, messages }),
        })
        changed.add(chainId)
      }
      if (changed.size > 0) await touchChains(tx, [...changed])
    },
  }
}
