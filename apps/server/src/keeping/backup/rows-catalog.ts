import pg from 'pg'
import { fleetingInSql } from '../../database/schema/fleeting-tables.ts'
import type { Queryable } from '../../database/statements/queryable.ts'

export interface RowsTable {
  name: string
  /** Those that are stored, not generated from others; `type` as SQL names it. */
  columns: { name: string; type: string }[]
  /** The primary key; texts are ordered by their code points. */
  key: { name: string; isText: boolean }[]
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

export interface Trigger {
  table: string
  name: string
  /** `O`: on, `A`: also where rows come by replication, `R`: only there, `D`: off. */
  enabled: 'O' | 'A' | 'R' | 'D'
}

export interface SequenceState {
  name: string
  /** A bigint as text. */
  last: string
  isCalled: boolean
}

const quote = pg.escapeIdentifier

export const tableInSql = (name: string): string => `public.${quote(name)}`

/** Not what an extension brings. */
const isOurs = `c.relnamespace = 'public'::regnamespace and not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

export async function readTables(client: Queryable): Promise<RowsTable[]> {
  const { rows } = await client.query(`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
          order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select json_agg(json_build_object('name', a.attname, 'isText', a.attcollation <> 0)
          order by key.place)
        from pg_index i, unnest(i.indkey::smallint[]) with ordinality as key(attnum, place), pg_attribute a
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = key.attnum
      ), '[]') as key
    from pg_class c where c.relkind = 'r' and c.relname not in (${fleetingInSql}) and ${isOurs}
    order by c.relname collate "C"`)
  return rows
}

export async function readForeignKeys(client: Queryable): Promise<ForeignKey[]> {
  const { rows } = await client.query(`
    select c.relname as table, f.conname as name, pg_get_constraintdef(f.oid) as definition
    from pg_constraint f join pg_class c on c.oid = f.conrelid where f.contype = 'f' and ${isOurs}
    order by f.oid`)
  return rows
}

export async function readTriggers(client: Queryable): Promise<Trigger[]> {
  const { rows } = await client.query(`
    select c.relname as table, t.tgname as name, t.tgenabled as enabled
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and ${isOurs}
    order by c.relname, t.tgname`)
  return rows
}

export async function readSequences(client: Queryable): Promise<SequenceState[]> {
  const { rows: found } = await client.query(
    `select c.relname as name from pg_class c where c.relkind = 'S' and ${isOurs} order by c.relname collate "C"`,
  )
  if (found.length === 0) return []
  const states = found.map(
    ({ name }) =>
      `select ${pg.escapeLiteral(name)} as name, last_value::text as last, is_called as "isCalled" from ${tableInSql(name)}`,
  )
  const { rows } = await client.query(states.join(' union all '))
  return rows
}

export async function isWithoutTables(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`
    select exists (select from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${isOurs})
      or to_regclass('drizzle.__drizzle_migrations') is not null as found`)
  return !rows[0].found
}
