import { KIND_OF_STEP, STEP_KINDS } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { chainLabels, chainSteps, chains, chainVersions } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { chainsVisibleTo } from '../../database/statements/visible-rows.ts'

const SENDING = STEP_KINDS.filter((kind) => KIND_OF_STEP[kind].acts !== undefined)
const kinds = sql.param(SENDING)
const hasKind = sql.join(
  SENDING.map((kind) => sql`${chainVersions.steps} @> ${JSON.stringify([{ kind }])}::jsonb`),
  sql` or `,
)

interface Wanted {
  userId: number
  chainIds: readonly number[]
  /** All of the person's own, too. */
  ofOwn: boolean
}

/** Those of these chains with a step that takes values to others than models, as they are or in a version with a label. */
export async function listSendingChains(
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
            and ${chainSteps.settings} ->> 'kind' = any(${kinds}::text[])
        ) or exists (
          select from ${chainLabels} inner join ${chainVersions} on ${chainVersions.chainId} = ${chainLabels.recordId}
            and ${chainVersions.number} = ${chainLabels.version}
          where ${chainLabels.recordId} = ${chains.id} and (${hasKind})
        )
      )
    order by ${chains.id}`)
  return rows
}
