import type { UndoneImport, User } from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import { lockImported, markUndone } from './imports.repository.ts'
import type { Makers } from './make-import.ts'

/** Takes back what an import made and nobody changed or needs since, in the caller's transaction. */
export function createUndoImport({ prompts }: Pick<Makers, 'prompts'>) {
  return async (tx: Transaction, { id, user }: { id: number; user: User }): Promise<UndoneImport> => {
    const undone: UndoneImport = { removed: 0, restored: 0, kept: [] }
    const going: number[] = []
    for (const each of await lockImported(tx, id)) {
      const { promptId, name, made, version, isChanged, isLabelled, isUsed } = each
      if (isChanged || isLabelled || (made !== 'version' && isUsed)) {
        undone.kept.push({ promptId, name, reason: isChanged ? 'changed' : 'used' })
      } else if (made === 'version') {
        await prompts.port.restoreVersion(tx, { id: promptId, user, number: version - 1 })
        undone.restored += 1
      } else {
        going.push(promptId)
      }
    }
    await prompts.deleteManyIn(tx, going)
    undone.removed = going.length
    await markUndone(tx, { id, kept: undone.kept.map(({ promptId }) => promptId) })
    return undone
  }
}
