import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { fleetingInSql } from '../schema/fleeting-tables.ts'
import type { Queryable } from '../statements/queryable.ts'
import { tellRowsOf } from './row-changes.ts'

type Client = Pick<pg.ClientBase, 'query'>

export interface MovedMark {
  id: string
  to: 'embedded' | 'server'
  at: string
  /** False until it is certain that the other side has them: the move was cut short, or is at its end. */
  isOver: boolean
}

interface Marks {
  moving?: { at: string }
  moved?: MovedMark
  arrived?: { id: string; at: string }
}

/** With this a database that was moved away refuses writes; it passes for an outage. */
const MOVED_SQLSTATE = '57M01'
/** Held by whoever moves, as long as their session lives. */
const MOVER_LOCK = 727_263_002
const POLL_MS = 250
const BY_MOVER = `select set_config('catenary.move', 'on', true)`

export async function readMarks(client: Queryable): Promise<Marks> {
  const { rows: tables } = await client.query(`select to_regclass('public.settings') is not null as found`)
  if (!tables[0].found) return {}
  const { rows } = await client.query(
    `select key, value from settings where key in ('moving', 'moved', 'arrived')`,
  )
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

export async function isMoverAlive(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`
    select exists (select from pg_locks where locktype = 'advisory' and objid = ${MOVER_LOCK} and granted
      and database = (select oid from pg_database where datname = current_database())) as alive`)
  return rows[0].alive
}

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

export async function retireMover(client: Client): Promise<void> {
  await client.query(`select pg_advisory_unlock(${MOVER_LOCK})`)
}

export async function announceMove(client: Client): Promise<void> {
  await client.query(
    `insert into settings (key, value) values ('moving', jsonb_build_object('at', now()))
     on conflict (key) do update set value = excluded.value, updated_at = now()`,
  )
  await tellRowsOf(client, 'settings')
}

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

export async function settleMove(client: Client): Promise<void> {
  await client.query('begin')
  await client.query(BY_MOVER)
  await client.query(`update settings set value = value || '{"isOver": true}' where key = 'moved'`)
  await client.query('commit')
}

export async function reopenMoved(client: Client): Promise<void> {
  await client.query('begin')
  await client.query(BY_MOVER)
  await client.query('drop function if exists refuse_moved() cascade')
  await client.query(`delete from settings where key in ('moving', 'moved')`)
  await tellRowsOf(client, 'settings')
  await client.query('commit')
}

export async function noteArrival(client: Client, id: string): Promise<void> {
  await client.query(`delete from settings where key in ('moving', 'arrived')`)
  await client.query(
    `insert into settings (key, value) values ('arrived', jsonb_build_object('id', $1::text, 'at', now()))`,
    [id],
  )
}
