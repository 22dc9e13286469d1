import { sql } from 'drizzle-orm'
import type { Executor } from '../../database/statements/executor.ts'

interface Written {
  chainId: number
  userId: number
  /** Of the prompts that its steps run. */
  promptIds: readonly number[]
}

/**
 * Whether this person alone saved every version of the chain and of its prompts: all of them are kept, theirs, and no form
 * is missing that would have shown them what came by an import or as a copy.
 */
export async function isWrittenAlone(
  db: Executor,
  { chainId, userId, promptIds }: Written,
): Promise<boolean> {
  const ids = sql`${sql.param(promptIds)}::integer[]`
  const { rows } = await db.execute<{ alone: boolean }>(sql`
    select not exists (select from imported_chains where chain_id = ${chainId})
      and exists (
        select from chains where id = ${chainId} and owner_id = ${userId} and not written_by_others and version = (
          select count(*) from chain_versions where chain_id = ${chainId} and author_id = ${userId}
        )
      )
      and not exists (
        select from prompts where id = any(${ids}) and (
          owner_id <> ${userId} or written_by_others
          or version <> (select count(*) from prompt_versions where prompt_id = prompts.id and author_id = ${userId})
          or exists (select from imported_prompts where prompt_id = prompts.id)
        )
      ) as alone`)
  return rows[0]?.alone === true
}
