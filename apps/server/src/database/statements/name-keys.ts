import { nameKey } from '@catenary/contracts'
import { isNull, type SQL, sql } from 'drizzle-orm'
import { type categories, tags } from '../schema/index.ts'
import type { Executor } from './executor.ts'

type Named = typeof categories | typeof tags

/** Stands between the key and the id of a row whose name looks like an older one's; no key has it. */
const ASIDE = '\u001f'

export const hasNameKey = ({ nameKey: column }: Named, name: string): SQL => sql`${column} = ${nameKey(name)}`

export const keyOrderOf = ({ name, nameKey: column }: Named): SQL<string> =>
  sql<string>`coalesce(${column}, lower(${name} collate "C"))`

export const standsAside = ({ nameKey: column }: Named): SQL<boolean> =>
  sql<boolean>`strpos(coalesce(${column}, ''), ${ASIDE}) > 0`

export const olderKey = ({ nameKey: column }: Named): SQL => sql`split_part(${column}, ${ASIDE}, 1)`

/**
 * Gives the rows their keys that have none: those from before there were keys, and what the version before wrote since,
 * which may run beside this one. The older of two keeps it. Called before anything is looked up or made by its key.
 */
export async function keepNameKeys(executor: Executor, table: Named): Promise<void> {
  if ((await listWithoutKey(executor, table)).length === 0) return
  await executor.transaction(async (tx) => {
    // Nobody takes a key in between.
    await tx.execute(sql`lock table ${table} in share row exclusive mode`)
    const { id: rowId } = table
    for (const { id, name } of await listWithoutKey(tx, table)) {
      const key = nameKey(name)
      const ofKind = table === tags ? sql`and other.kind = ${tags.kind}` : sql``
      const taken = sql`exists (select from ${table} as other where other.name_key = ${key} ${ofKind})`
      await tx.execute(sql`
        update ${table} set name_key = case when ${taken} then ${key + ASIDE + id} else ${key} end where ${rowId} = ${id}`)
    }
  })
}

function listWithoutKey(executor: Executor, table: Named) {
  const { id, name, nameKey: column } = table
  return executor.select({ id, name }).from(table).where(isNull(column)).orderBy(id)
}

/** After one has another name, or is gone: what stood aside for it may have the key. */
export async function releaseNameKeys(executor: Executor, table: Named): Promise<void> {
  await executor.execute(sql`update ${table} set name_key = null where ${standsAside(table)}`)
  await keepNameKeys(executor, table)
}
