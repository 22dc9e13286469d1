import { PROMPT_ALIASES_MAX, type PromptAlias, type User } from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { openPromptForChange } from '../prompts/prompts.ts'
import {
  deletePromptAlias,
  findNamesake,
  insertPromptAliases,
  listPromptAliases,
} from './prompt-aliases.repository.ts'
import { canNamePrompt } from './prompt-server.policy.ts'

interface Wanted {
  id: number
  user: User
}

export type PromptAliases = ReturnType<typeof createPromptAliases>

/** Names that code has for a prompt from elsewhere. */
export function createPromptAliases({ db }: { db: Database }) {
  async function openOwn(tx: Transaction, wanted: Wanted): Promise<number> {
    const prompt = await openPromptForChange({ db: tx }, wanted)
    if (!canNamePrompt(prompt, wanted.user.id)) {
      throw new AppError('forbidden', 'Only the owner may give a prompt its aliases')
    }
    return prompt.id
  }

  async function list(executor: Database | Transaction, promptId: number): Promise<PromptAlias[]> {
    const rows = await listPromptAliases(executor, promptId)
    return rows.map(({ alias, createdAt }) => ({ alias, createdAt: createdAt.toISOString() }))
  }

  return {
    /** By name; for editors of the prompt. */
    list: (wanted: Wanted): Promise<PromptAlias[]> =>
      db.transaction(async (tx) => list(tx, (await openPromptForChange({ db: tx }, wanted)).id)),

    /** Gives the alias, or leaves it where it is the prompt's already; throws `conflict` for another one's of the owner. */
    give: ({ alias, ...wanted }: Wanted & { alias: string }): Promise<PromptAlias[]> =>
      db.transaction(async (tx) => {
        const promptId = await openOwn(tx, wanted)
        const given = await insertPromptAliases(tx, [{ alias, promptId }])
        if (given.length === 0 && (await findNamesake(tx, { alias, promptId })) !== promptId) {
          throw new AppError('conflict', `Another prompt of yours is called ${alias}`)
        }
        const aliases = await list(tx, promptId)
        if (aliases.length > PROMPT_ALIASES_MAX) {
          throw new AppError('conflict', `A prompt has at most ${PROMPT_ALIASES_MAX} aliases`)
        }
        return aliases
      }),

    /** To prompts of the caller's own, in their transaction; what another one of theirs has stays there. Returns what was free. */
    giveIn: (tx: Transaction, rows: { alias: string; promptId: number }[]): Promise<string[]> =>
      insertPromptAliases(tx, rows),

    /** From then on nothing answers to it. */
    take: ({ alias, ...wanted }: Wanted & { alias: string }): Promise<PromptAlias[]> =>
      db.transaction(async (tx) => {
        const promptId = await openOwn(tx, wanted)
        if (!(await deletePromptAlias(tx, { alias, promptId }))) {
          throw new AppError('not_found', 'This prompt has no such alias')
        }
        return list(tx, promptId)
      }),
  }
}
