import type pg from 'pg'

export interface SessionLimit {
  role: string
  database: string
  limitMs: number
  /** What new sessions of this role get in this database; null: nothing is set. */
  ofRole: string | null
}

const LOCK_KEY = 727_263_003
/** For one transaction, the limits that a server, a database or a role may have; not each server knows each. */
export const LIFT_LIMITS = `select set_config(name, '0', true) from pg_settings where name in
  ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

export async function readLimit(client: Pick<pg.ClientBase, 'query'>): Promise<SessionLimit> {
  const { rows } = await client.query<SessionLimit>(`
    select current_user as role, current_database() as database,
      (select setting::int from pg_settings where name = 'statement_timeout') as "limitMs",
      (select substring(setting from '=(.*)') from pg_db_role_setting s, unnest(s.setconfig) as setting
        where setting like 'statement_timeout=%'
          and s.setrole = (select oid from pg_roles where rolname = current_user)
          and s.setdatabase = (select oid from pg_database where datname = current_database())) as "ofRole"`)
  const [limit] = rows
  if (limit === undefined) throw new Error('The database did not answer with its statement limit')
  return limit
}

const limitCommand = ({ role, database }: SessionLimit, limitMs: number): string =>
  `ALTER ROLE ${quote(role)} IN DATABASE ${quote(database)} SET statement_timeout = ${limitMs}`

/**
 * Has the server end statements of this role in this database that take longer, in sessions from now on; false where it
 * does already. A start-up parameter would be refused by a pooler, or lost in it.
 */
export async function writeRoleLimit(
  client: Pick<pg.ClientBase, 'query'>,
  limitMs: number,
): Promise<boolean> {
  if ((await readLimit(client)).ofRole === String(limitMs)) return false
  await client.query('begin')
  try {
    // Two that write the same row at once fail with "tuple concurrently updated".
    await client.query(`select pg_advisory_xact_lock(${LOCK_KEY})`)
    const limit = await readLimit(client)
    const differs = limit.ofRole !== String(limitMs)
    if (differs) await client.query(limitCommand(limit, limitMs))
    await client.query('commit')
    return differs
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

export function explainLimit(limit: SessionLimit, limitMs: number): { text: string; todo: string } {
  const seconds = limitMs / 1000
  if (limit.ofRole === String(limitMs)) {
    return {
      text: `Statements end after ${seconds} s only in sessions that the pooler opens from now on`,
      todo: 'Let it reopen all of them, as RECONNECT does in PgBouncer’s console.',
    }
  }
  return {
    text: `Statements of the role ${limit.role}, which the pooler uses, don’t end after ${seconds} s`,
    todo: `Ask that role or an administrator to run: ${limitCommand(limit, limitMs)}; then let the pooler reopen its sessions (RECONNECT in PgBouncer).`,
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
