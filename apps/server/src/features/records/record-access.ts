import type { User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'

export interface Change {
  id: number
  user: User
  /** The revision that the person saw; absent: any. */
  revision?: number | undefined
}

interface RecordRules<Stored, Transaction, Wanted> {
  /** What errors call it, such as 'prompt'. */
  noun: string
  canSee: (viewer: User | null, stored: Stored) => boolean
  canChange: (user: User, stored: Stored) => boolean
  lock: (tx: Transaction, wanted: Wanted) => Promise<Stored | undefined>
  show: (tx: Transaction, shown: { stored: Stored; viewer: User; wanted: Wanted }) => unknown
}

export function createRecordAccess<
  Stored extends { revision: number },
  Transaction,
  Wanted extends Change = Change,
>({ noun, ...rules }: RecordRules<Stored, Transaction, Wanted>) {
  function requireVisible(stored: Stored | undefined, viewer: User | null): Stored {
    if (stored === undefined || !rules.canSee(viewer, stored)) {
      const title = noun.charAt(0).toUpperCase() + noun.slice(1)
      throw new AppError('not_found', `${title} not found`)
    }
    return stored
  }

  function requireChangeable(stored: Stored | undefined, user: User): Stored {
    const visible = requireVisible(stored, user)
    if (!rules.canChange(user, visible)) throw new AppError('forbidden', `You can’t change this ${noun}`)
    return visible
  }

  return {
    requireVisible,
    requireChangeable,

    /** The record, locked for the transaction; throws unless the user may change the state that they saw (D16). */
    async openForChange(tx: Transaction, wanted: Wanted): Promise<Stored> {
      const { user, revision } = wanted
      const stored = requireChangeable(await rules.lock(tx, wanted), user)
      if (revision !== undefined && revision !== stored.revision) {
        const details = await rules.show(tx, { stored, viewer: user, wanted })
        throw new AppError('conflict', `This ${noun} was changed since you opened it`, { details })
      }
      return stored
    },
  }
}
