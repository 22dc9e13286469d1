import type { Fill, KeptSend, RecordKind } from '@catenary/contracts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
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

/** Where a person allowed private values to go in runs of others' chains that they accepted (D89). */
export async function listAcceptedSends(db: Executor, userId: number): Promise<KeptSend[]> {
  const lists = await db
    .select({ sends: chainAcceptances.sends })
    .from(chainAcceptances)
    .where(eq(chainAcceptances.userId, userId))
  return lists.flatMap(({ sends }) => sends)
}

const LISTS: [PgTable, { whose: PgColumn; fills: PgColumn }][] = [
  [apiTokens, { whose: apiTokens.createdBy, fills: apiTokens.fills }],
  [scheduledRuns, { whose: scheduledRuns.createdBy, fills: scheduledRuns.fills }],
  [promptAcceptances, { whose: promptAcceptances.userId, fills: promptAcceptances.fills }],
  [chainAcceptances, { whose: chainAcceptances.userId, fills: chainAcceptances.fills }],
]

const SENDS: [PgTable, PgColumn][] = [
  [apiTokens, apiTokens.sends],
  [scheduledRuns, scheduledRuns.sends],
  [chainAcceptances, chainAcceptances.sends],
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
  await forget(tx, { userId, listed: { name: lower }, isGone: sql`fill ->> 'name' = ${lower}` })
}

/** Takes the record off everyone's lists, as it is another person's from now on: to them nobody has agreed. */
export async function forgetRecord(
  tx: Transaction,
  { kind, id }: { kind: RecordKind; id: number },
): Promise<void> {
  const isGone = sql`fill ->> 'kind' = ${kind} and (fill ->> 'id')::integer = ${id}`
  await forget(tx, { listed: { kind, id }, isGone })
  if (kind === 'chain') await forgetSends(tx, id)
}

async function forgetSends(tx: Transaction, chainId: number): Promise<void> {
  const listed = JSON.stringify([{ chainId }])
  for (const [table, sends] of SENDS) {
    const left = sql`(select coalesce(jsonb_agg(send order by place), '[]')
      from jsonb_array_elements(${sends}) with ordinality as each(send, place)
      where (send ->> 'chainId')::integer <> ${chainId})`
    await tx.update(table).set({ sends: left }).where(sql`${sends} @> ${listed}::jsonb`)
  }
}

async function forget(
  tx: Transaction,
  { userId, listed, isGone }: { userId?: number; listed: Partial<Fill>; isGone: SQL },
): Promise<void> {
  for (const [table, { whose, fills }] of LISTS) {
    const left = sql`(select coalesce(jsonb_agg(fill order by place), '[]')
      from jsonb_array_elements(${fills}) with ordinality as each(fill, place) where not (${isGone}))`
    const isTheirs = userId === undefined ? undefined : eq(whose, userId)
    await tx
      .update(table)
      .set({ fills: left })
      .where(and(isTheirs, sql`${fills} @> ${JSON.stringify([listed])}::jsonb`))
  }
}
