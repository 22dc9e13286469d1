import { sql } from 'drizzle-orm'
import { chainLabels, chainSteps, chains, chainVersions } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { chainsVisibleTo } from '../../database/statements/visible-rows.ts'

interface Wanted {
  userId: number
  chainIds: readonly number[]
  /** All of the person's own, too. */
  ofOwn: boolean
}

/** Those of these chains with a step that asks people, as they are or in a version with a label. */
export async function listAskingChains(
  db: Executor,
  { userId, chainIds, ofOwn }: Wanted,
): Promise<{ id: number; isOwn: boolean }[]> {
  const { rows } = await db.execute<{ id: number; isOwn: boolean }>(sql`
    select ${chains.id} as id, ${chains.ownerId} = ${userId} as "isOwn" from ${chains}
    where (${chains.id} = any(${sql.param(chainIds)}::integer[]) or (${ofOwn}::boolean and ${chains.ownerId} = ${userId}))
      and ${chainsVisibleTo(userId)}
      and (
        exists (
          select from ${chainSteps} where ${chainSteps.chainId} = ${chains.id}
            and ${chainSteps.settings} -> 'ask' is not null
        ) or exists (
          select from ${chainLabels} inner join ${chainVersions} on ${chainVersions.chainId} = ${chainLabels.recordId}
            and ${chainVersions.number} = ${chainLabels.version}
          where ${chainLabels.recordId} = ${chains.id} and ${chainVersions.steps} @> '[{"kind": "ask"}]'
        )
      )
    order by ${chains.id}`)
  return rows
}
