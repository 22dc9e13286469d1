import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { DatabaseClient } from '../../database/open/client.ts'
import { NewerSchemaError, OlderSchemaError, readMigrationState } from '../../database/open/migrate.ts'
import {
  announceMove,
  becomeMover,
  markMoved,
  noteArrival,
  readMarks,
  reopenMoved,
  retireMover,
  settleMove,
  withdrawMove,
} from '../../database/open/move-marks.ts'
import { StartError } from '../../errors.ts'
import { loadRows } from '../backup/load-rows.ts'
import { beginSnapshot, openRows } from '../backup/read-rows.ts'
import { type DeletedAgain, deleteAgain } from '../deletions/delete-again.ts'
import type { DeletedRecord } from '../deletions/deleted-records.ts'
import type { MoveTarget } from './move-target.ts'

interface MoveOptions {
  source: DatabaseClient
  target: MoveTarget
  /** What was deleted for good: where a copy that was put back has it still, it does not arrive. */
  deleted?: readonly DeletedRecord[]
  patienceMs?: number
  settleMs?: number
}

interface Moved {
  /** Null where an earlier try had got there, and this one only noted it. */
  rows: number | null
  tables: number
  again: DeletedAgain
}

/** A step may wait for a model so long. */
const PATIENCE_MS = 600_000
const POLL_MS = 250
/** Processes write what calls cost a second after them. */
const SETTLE_MS = 2_000
/** What a server needs to notice that an earlier mover was killed. */
const LOCK_MS = 10_000
const NOTHING: DeletedAgain = { deleted: 0, kept: 0 }
const NOTED: Moved = { rows: null, tables: 0, again: NOTHING }

/**
 * Moves all rows to another database: they are written no more, copied, compared by their hashes, and from then on
 * refused here. Ended anywhere, the rows are whole in one of both, and the next try goes on. Throws a StartError
 * where it can't be: another version, a target that is not empty, another move, runs that don't end.
 */
export async function moveDatabase({
  source,
  target,
  deleted = [],
  patienceMs = PATIENCE_MS,
  settleMs = SETTLE_MS,
}: MoveOptions): Promise<Moved> {
  if (source.access?.direct.pooler === 'shared') {
    throw new StartError(
      'A move needs its own session, which the pooler does not provide. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
    )
  }
  return source.withoutLimit(async (client) => {
    await requireThisVersion(client)
    if (!(await becomeMover(client, Math.min(patienceMs, LOCK_MS)))) {
      throw new StartError('Another move is running.')
    }
    // The embedded database has this process alone.
    const others = source.kind === 'server' ? { patienceMs, settleMs } : null
    const moved = await moveAsMover({ client, target, deleted, others })
    await retireMover(client)
    return moved
  })
}

interface Others {
  patienceMs: number
  settleMs: number
}

interface MoverOptions {
  client: pg.PoolClient
  target: MoveTarget
  deleted: readonly DeletedRecord[]
  others: Others | null
}

async function moveAsMover({ client, target, deleted, others }: MoverOptions): Promise<Moved> {
  if (await finishEarlier(client, target)) return NOTED
  const database = await target.open()
  try {
    if (others !== null) await announceMove(client)
    return await copyAll({ client, target, deleted, database, others })
  } catch (error) {
    // Where the connection is gone, the next try does the same.
    if (await giveUp(client, target).catch(() => false)) return NOTED
    throw error
  }
}

/** True where all had arrived before it failed; otherwise this database takes writes again. */
async function giveUp(client: pg.PoolClient, target: MoveTarget): Promise<boolean> {
  await client.query('rollback')
  const hasArrived = await finishEarlier(client, target)
  if (!hasArrived) await withdrawMove(client)
  return hasArrived
}

async function requireThisVersion(client: pg.PoolClient): Promise<void> {
  const { missing, unknown, isOlder } = await readMigrationState(client)
  if (isOlder) throw new OlderSchemaError()
  if (unknown > 0) throw new NewerSchemaError()
  if (missing === 0) return
  throw new StartError('The database is from an older version. Start Catenary once with it, then move it.')
}

async function finishEarlier(client: pg.PoolClient, target: MoveTarget): Promise<boolean> {
  const { moved } = await readMarks(client)
  if (moved === undefined) return false
  if (moved.isOver) {
    throw new StartError(
      `This database was moved on ${moved.at}. To move it once more, first start it with "catenary start --reopen".`,
    )
  }
  if (await target.hasArrived(moved.id)) {
    await settleMove(client)
    return true
  }
  await reopenMoved(client)
  return false
}

async function copyAll({
  client,
  target,
  deleted,
  database,
  others,
}: MoverOptions & { database: DatabaseClient }): Promise<Moved> {
  await beginUnwritten(client, others)
  const { schema, parts, tables } = await openRows(client)
  let again = NOTHING
  const mark = { id: randomUUID(), to: target.kind, at: new Date().toISOString(), isOver: false }
  await loadRows({
    database,
    schema,
    parts,
    tables,
    beforeCommit: async (arriving) => {
      again = await deleteAgain({ client: arriving, records: deleted })
      await noteArrival(arriving, mark.id)
      // Both sides can't commit at once: between the two the rows are here, and taken up again by the next try.
      await markMoved(client, mark)
      await client.query('commit')
    },
  })
  await target.keep()
  await settleMove(client)
  const contents = Object.values(tables())
  return { rows: contents.reduce((sum, { rows }) => sum + rows, 0), tables: contents.length, again }
}

/** Begins a transaction that sees all earlier writes, and lets nobody write until it ends. */
async function beginUnwritten(client: pg.PoolClient, others: Others | null): Promise<void> {
  if (others === null) return beginSnapshot(client, 'share row exclusive')
  const start = performance.now()
  for (;;) {
    if ((await countUnderWay(client)) === 0) {
      await delay(others.settleMs)
      await beginSnapshot(client, 'share row exclusive')
      // What was claimed before the lock.
      if ((await countUnderWay(client)) === 0) return
      await client.query('rollback')
    }
    if (performance.now() - start > others.patienceMs) {
      const count = await countUnderWay(client)
      throw new StartError(`${count} runs or jobs are still running. Stop them, or Catenary, and try again.`)
    }
    await delay(POLL_MS)
  }
}

async function countUnderWay(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query(`
    select (select count(*) from executions where status = 'running' and lease_until > now() and waiting_for is null)
      + (select count(*) from jobs where is_held and next_at > now()) as count`)
  return Number(rows[0].count)
}
