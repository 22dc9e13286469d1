import type { SharedKind, User } from '@catenary/contracts'
import type { Executor } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { ChainAccess } from '../chains/chain-access.service.ts'
import { shareableChains } from '../chains/shareable-chains.service.ts'
import { shareablePrompts } from '../prompts/shareable-prompts.service.ts'
import type { Shareable } from '../shares/shares.service.ts'
import type { RecordRights } from './test-suites.policy.ts'

/** What is tested. */
export interface RecordId {
  kind: SharedKind
  id: number
}

export interface TestedRecord extends RecordRights {
  ownerId: number
}

export type TestedRecords = ReturnType<typeof createTestedRecords>

/** Prompts and chains, as their suites know them. */
export function createTestedRecords({ chainAccess }: { chainAccess: ChainAccess }) {
  const find = {
    prompt: finder(shareablePrompts),
    chain: finder(shareableChains(chainAccess)),
  }
  return {
    /** Throws `not_found` for what the person can't see. */
    findVisible: (executor: Executor, { kind, id, user }: RecordId & { user: User }): Promise<TestedRecord> =>
      find[kind](executor, { id, user }),

    /** undefined for what the person can't see. */
    async findOptional(
      executor: Executor,
      wanted: RecordId & { user: User },
    ): Promise<TestedRecord | undefined> {
      try {
        return await find[wanted.kind](executor, wanted)
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return undefined
        throw error
      }
    },
  }
}

function finder<Stored extends { owner: string; ownerId: number }>(records: Shareable<Stored>) {
  return async (executor: Executor, { id, user }: { id: number; user: User }): Promise<TestedRecord> => {
    const stored = await records.findVisible(executor, { id, user })
    return { ownerId: stored.ownerId, canSee: true, canEdit: records.canEdit(user, stored) }
  }
}
