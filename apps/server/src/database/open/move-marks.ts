import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { fleetingInSql } from '../schema/fleeting-tables.ts'
import type { Queryable } from '../statements/queryable.ts'
import { tellRowsOf } from './row-changes.ts'

type Client = Pick<pg.ClientBase, 'query'>

/** Kept by the database that rows were moved away from, among its settings. */
export interface MovedMark {
  id: string
  to: 'embedded' | 'server'
  /** ISO. */
  at: string
  /** False until it is certain that the other side has them: the move was cut short, or is at its end. */
  isOver: boolean
}

interface Marks {
  /** Rows are being moved away. */
  moving?: { at: string }
  moved?: MovedMark
  /** The last move to this database. */
  arrived?: { id: string; at: string }
}

/** What refuses to write says so, and passes for an outage. */
const MOVED_SQLSTATE = '57M01'
/** Held by whoever moves, as long as their session lives. */
const MOVER_LOCK = 727_263_002
const POLL_MS = 250
/** Lets the mover itself write. */
const BY_MOVER = `select set_config('catenary.move', 'on', true)`

/** The marks of a database; none where it has no tables yet. */
export async function readMarks(client: Queryable): Promise<Marks> {
  const { rows: tables } = await client.query(`select to_regclass('public.settings') is not null as found`)
  if (!tables[0].found) return {}
  const { rows } = await client.query(
    `select key, value from settings where key in ('moving', 'moved', 'arrived')`,
  )
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** Whether the process that moves still lives. */
export async function isMoverAlive(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`
    select exists (select from pg_locks where locktype = 'advisory' and objid = ${MOVER_LOCK} and granted
      and database = (select oid from pg_database where datname = current_database())) as alive`)
  return rows[0].alive
}

/** Makes the session of `client` the one that moves; false where another one does, after so many milliseconds too. */
export async function becomeMover(client: Client, patienceMs: number): Promise<boolean> {
  // A server takes a moment to notice that a process was killed.
  const start = performance.now()
  for (;;) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${MOVER_LOCK}) as taken`)
    if (rows[0].taken) return true
    if (performance.now() - start > patienceMs) return false
    await delay(POLL_MS)
  }
}

/** Gives that up. */
export async function retireMover(client: Client): Promise<void> {
  await client.query(`select pg_advisory_unlock(${MOVER_LOCK})`)
}

/** Tells all processes to write no more, as long as the mover lives. */
export async function announceMove(client: Client): Promise<void> {
  await client.query(
    `insert into settings (key, value) values ('moving', jsonb_build_object('at', now()))
     on conflict (key) do update set value = excluded.value, updated_at = now()`,
  )
  await tellRowsOf(client, 'settings')
}

/** Lets them write again. */
export async function withdrawMove(client: Client): Promise<void> {
  await client.query(`delete from settings where key = 'moving'`)
  await tellRowsOf(client, 'settings')
}

/** In the mover's transaction: from its commit on the database refuses every write but to tables of the moment. */
export async function markMoved(client: Client, mark: MovedMark): Promise<void> {
  await client.query(`delete from settings where key in ('moving', 'arrived')`)
  await client.query(`insert into settings (key, value) values ('moved', $1)`, [JSON.stringify(mark)])
  await tellRowsOf(client, 'settings')
  await client.query(`
    create function refuse_moved() returns trigger language plpgsql as $$ begin
      if current_setting('catenary.move', true) is distinct from 'on' then
        raise exception 'This database was moved to another one' using errcode = '${MOVED_SQLSTATE}';
      end if;
      return null;
    end $$;
    do $$ declare name text; begin
      for name in select tablename from pg_tables
        where schemaname = 'public' and tablename not in (${fleetingInSql}) loop
        execute format('create trigger refuse_moved before insert or update or delete or truncate on public.%I
          for each statement execute function refuse_moved()', name);
      end loop;
    end $$`)
}

/** The other side has all rows for certain. */
export async function settleMove(client: Client): Promise<void> {
  await client.query('begin')
  await client.query(BY_MOVER)
  await client.query(`update settings set value = value || '{"isOver": true}' where key = 'moved'`)
  await client.query('commit')
}

/** Takes writes again, as if nothing had been moved. */
export async function reopenMoved(client: Client): Promise<void> {
  await client.query('begin')
  await client.query(BY_MOVER)
  await client.query('drop function if exists refuse_moved() cascade')
  await client.query(`delete from settings where key in ('moving', 'moved')`)
  await tellRowsOf(client, 'settings')
  await client.query('commit')
}

/** In the transaction that puts the rows there: they are at home here. */
export async function noteArrival(client: Client, id: string): Promise<void> {
  await client.query(`delete from settings where key in ('moving', 'arrived')`)
  await client.query(
    `insert into settings (key, value) values ('arrived', jsonb_build_object('id', $1::text, 'at', now()))`,
    [id],
  )
}
