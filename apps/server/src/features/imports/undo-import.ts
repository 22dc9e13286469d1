import type { UndoneImport, User } from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import type { Makers } from './import-types.ts'
import {
  lockImportedChains,
  lockImportedSuites,
  returnToEarlierImports,
} from './imported-records.repository.ts'
import { lockImported, markUndone } from './imports.repository.ts'

interface Undoing {
  id: number
  user: User
  undone: UndoneImport
  restored: Record<'prompts' | 'chains' | 'suites', number[]>
}

/** Takes back what an import made and nobody changed or needs since, in the caller's transaction. */
export function createUndoImport({ prompts, chains, suites }: Pick<Makers, 'prompts' | 'chains' | 'suites'>) {
  async function undoSuites(tx: Transaction, { id, user, undone, restored }: Undoing): Promise<void> {
    for (const { suiteId, name, made, before, isChanged, isUsed } of await lockImportedSuites(tx, id)) {
      if (isChanged || (made !== 'version' && isUsed)) {
        undone.kept.push({ kind: 'suite', id: suiteId, name, reason: isChanged ? 'changed' : 'used' })
      } else if (before !== null) {
        const { name: earlier, cases, defaults, imported } = before
        await suites.fillIn(tx, { id: suiteId, user, name: earlier, cases, file: { defaults, imported } })
        restored.suites.push(suiteId)
      } else {
        await suites.deleteIn(tx, suiteId)
        undone.removed += 1
      }
    }
  }

  async function undoChains(tx: Transaction, { id, user, undone, restored }: Undoing): Promise<void> {
    for (const each of await lockImportedChains(tx, id)) {
      const { chainId, name, made, version, isChanged, isLabelled, isUsed } = each
      if (isChanged || isLabelled || version === 0 || (made !== 'version' && isUsed)) {
        const reason = isChanged || version === 0 ? 'changed' : 'used'
        undone.kept.push({ kind: 'chain', id: chainId, name, reason })
      } else if (made === 'version') {
        await chains.port.restoreVersion({ db: tx }, { id: chainId, user, number: version - 1 })
        restored.chains.push(chainId)
      } else {
        await chains.deleteIn(tx, { id: chainId, user, details: { name, owner: user.username } })
        undone.removed += 1
      }
    }
  }

  return async (tx: Transaction, { id, user }: { id: number; user: User }): Promise<UndoneImport> => {
    const undone: UndoneImport = { removed: 0, restored: 0, kept: [] }
    const restored: Undoing['restored'] = { prompts: [], chains: [], suites: [] }
    // What needs others goes before them.
    await undoSuites(tx, { id, user, undone, restored })
    await undoChains(tx, { id, user, undone, restored })
    const going: number[] = []
    const kept: number[] = []
    for (const each of await lockImported(tx, id)) {
      const { promptId, name, made, version, isChanged, isLabelled, isUsed } = each
      if (isChanged || isLabelled || version === 0 || (made !== 'version' && isUsed)) {
        kept.push(promptId)
        const reason = isChanged || version === 0 ? 'changed' : 'used'
        undone.kept.push({ kind: 'prompt', id: promptId, name, reason })
      } else if (made === 'version') {
        await prompts.port.restoreVersion({ db: tx }, { id: promptId, user, number: version - 1 })
        restored.prompts.push(promptId)
      } else {
        going.push(promptId)
      }
    }
    await prompts.deleteManyIn(tx, going)
    undone.removed += going.length
    undone.restored = Object.values(restored).flat().length
    await returnToEarlierImports(tx, { id, ...restored })
    await markUndone(tx, { id, kept })
    return undone
  }
}
