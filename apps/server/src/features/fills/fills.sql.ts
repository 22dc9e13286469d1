import type { Fill } from '@catenary/contracts'
import { and, eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { apiTokens, chainAcceptances, promptAcceptances, scheduledRuns } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'

/** What a person allowed with their acceptances of others' prompts or chains (D60, D69). */
export async function listAcceptedFills(
  db: Executor,
  { userId, prompts, chains }: { userId: number; prompts: boolean; chains: boolean },
): Promise<Fill[]> {
  const lists: { fills: Fill[] }[] = []
  for (const [isAsked, accepted] of [
    [prompts, promptAcceptances],
    [chains, chainAcceptances],
  ] as const) {
    if (!isAsked) continue
    lists.push(
      ...(await db.select({ fills: accepted.fills }).from(accepted).where(eq(accepted.userId, userId))),
    )
  }
  return lists.flatMap(({ fills }) => fills)
}

const LISTS: [PgTable, { whose: PgColumn; fills: PgColumn }][] = [
  [apiTokens, { whose: apiTokens.createdBy, fills: apiTokens.fills }],
  [scheduledRuns, { whose: scheduledRuns.createdBy, fills: scheduledRuns.fills }],
  [promptAcceptances, { whose: promptAcceptances.userId, fills: promptAcceptances.fills }],
  [chainAcceptances, { whose: chainAcceptances.userId, fills: chainAcceptances.fills }],
]

/**
 * Takes the name off all of the person's lists, as the variable that they allowed is going: another variable of
 * that name has another value, to which nobody has agreed (D69).
 */
export async function forgetName(
  tx: Transaction,
  { userId, name }: { userId: number; name: string },
): Promise<void> {
  const lower = name.toLowerCase()
  for (const [table, { whose, fills }] of LISTS) {
    const left = sql`(select coalesce(jsonb_agg(fill order by place), '[]')
      from jsonb_array_elements(${fills}) with ordinality as each(fill, place) where fill ->> 'name' <> ${lower})`
    await tx
      .update(table)
      .set({ fills: left })
      .where(and(eq(whose, userId), sql`${fills} @> ${JSON.stringify([{ name: lower }])}::jsonb`))
  }
}
