import type { EventEmitter } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { StartError } from '../../errors.ts'
import { checkDatabaseFiles, restoreAdvice } from '../embedded/database-files.ts'
import { lockDirectory } from '../embedded/directory-lock.ts'
import { type DiskSpace, unwatchedDisk, WatchedDisk } from '../embedded/disk-space.ts'
import { EmbeddedServer } from '../embedded/embedded.ts'
import { startMaintenance } from '../embedded/maintenance.ts'
import * as schema from '../schema/index.ts'
import { NotificationProof, type Notifications, noneMissing } from '../server/notification-proof.ts'
import { openServer, type ServerAccess, type Session } from '../server/open-server.ts'
import type { DatabaseLog } from '../signals/database-log.ts'
import { LISTENER_NAME, Listener, type Subscription } from '../signals/listener.ts'
import { ownPulse, type Pulse } from '../signals/pulse.ts'
import type { Database } from '../statements/executor.ts'
import { STATEMENT_LIMIT_MS } from '../statements/long-statements.ts'
import { type MoveState, MoveWatch, neverMoved } from './move-watch.ts'
import { RowChanges } from './row-changes.ts'

interface DatabaseOptions {
  /** A PostgreSQL server; without it the embedded database in `dataDir` is used. */
  databaseUrl?: string | undefined
  /** Leads to that server itself, where `databaseUrl` leads to a pooler. */
  databaseDirectUrl?: string | undefined
  databasePool?: number | undefined
  dataDir: string
  backupDirectory?: string | undefined
  /** Embedded only: false gives up safety against power cuts. */
  fsync: boolean
  /** How long a query waits for a connection: also what ends a query through the pool inside a transaction. */
  connectionTimeoutMs?: number
  statementLimitMs?: number
  answerLimitMs?: number
  log?: DatabaseLog | undefined
}

export interface DatabaseClient {
  kind: 'embedded' | 'server'
  pool: pg.Pool
  db: Database
  directory: string | null
  listen: (subscription: Subscription) => Promise<() => Promise<void>>
  rowChanges: RowChanges
  showHeldKeys: (held: HeldKeys) => void
  listHeldKeys: () => Promise<HeldKeys[]>
  move: MoveState
  notifications: Notifications
  access: ServerAccess | null
  /**
   * Runs statements without a time limit, such as maintenance, in a session of their own. Where only a shared session
   * of a pooler can be had, the limit is lifted in no more than the transactions that do so.
   */
  withoutLimit: Session
  disk: DiskSpace
  pulse: Pulse
  /** Waits for running statements, gives up on connections that aren't returned, frees the directory. */
  close: () => Promise<void>
}

const CONNECTION_TIMEOUT_MS = 10_000
const CLOSE_TIMEOUT_MS = 3_000
const WAITING_CHECK_MS = 10
export const DATABASE_DIRECTORY = 'database'

/** No other function knows that there are two kinds. */
export async function openDatabase(options: DatabaseOptions): Promise<DatabaseClient> {
  const { databaseUrl, dataDir, fsync, statementLimitMs = STATEMENT_LIMIT_MS, log } = options
  const { connectionTimeoutMs = CONNECTION_TIMEOUT_MS } = options
  if (databaseUrl) {
    const { lifeLine, ...server } = await openServer({ ...options, databaseUrl, connectionTimeoutMs, log })
    return assemble({
      ...server,
      kind: 'server',
      disk: unwatchedDisk,
      log,
      beforeClose: () => server.pulse.close(),
      afterClose: async () => {
        await Promise.all([endPool(server.apart), lifeLine.close()])
      },
    })
  }

  const lock = lockDirectory(dataDir)
  try {
    const directory = path.join(dataDir, DATABASE_DIRECTORY)
    const place = { dataDir, directory, backups: options.backupDirectory }
    checkDatabaseFiles(place)
    const disk = new WatchedDisk({ dataDir, log })
    disk.poll()
    let isFirst = true
    const beforeStart = () => {
      disk.makeRoom({ forStart: isFirst })
      isFirst = false
    }
    const server = await startEmbedded({ place, directory, fsync, log, statementLimitMs, beforeStart })
    const timeouts = { connectionTimeoutMillis: connectionTimeoutMs }
    const config = { ...timeouts, user: 'postgres', database: 'postgres', ssl: false }
    // There is one session, so one client; it stays, because its prepared statements belong to the session.
    const pool = new pg.Pool({ ...config, stream: () => server.stream(), max: 1, idleTimeoutMillis: 0 })
    pool.on('connect', (session) => onNoRoom(session, () => disk.makeRoom()))
    const createListener = () =>
      new pg.Client({ ...config, stream: () => server.stream({ listenOnly: true }) })
    disk.watch()
    const client = assemble({
      kind: 'embedded',
      pool,
      withoutLimit: inOnlySession(pool, (isLimited) => server.limitStatements(isLimited)),
      createListener,
      directory,
      disk,
      pulse: ownPulse,
      log,
      beforeClose: () => {
        stopMaintenance()
        disk.close()
      },
      afterClose: () => server.close().finally(lock.release),
    })
    const stopMaintenance = startMaintenance({ database: client, log })
    return client
  } catch (error) {
    lock.release()
    throw error
  }
}

async function startEmbedded({ place, ...data }: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    return await EmbeddedServer.start(data)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new StartError(`${error.message}. ${restoreAdvice(place)}.`, { cause: error })
  }
}

interface EmbeddedOptions extends Pick<DatabaseOptions, 'fsync' | 'log'> {
  place: Parameters<typeof restoreAdvice>[0]
  directory: string
  statementLimitMs: number
  beforeStart: () => void
}

const DISK_FULL = '53100'

/** Makes space for the next try: what a run has produced so far is saved that way. */
function onNoRoom(session: pg.PoolClient, then: () => void): void {
  // The driver's own connection, which its types leave out.
  const connection: EventEmitter = Reflect.get(session, 'connection')
  connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
    if (code === DISK_FULL) then()
  })
}

/** Ends the session where something failed, which rolls back an open transaction. */
function inOnlySession(pool: pg.Pool, limit: (isLimited: boolean) => void): Session {
  return async (run) => {
    const client = await pool.connect()
    try {
      limit(false)
      const result = await run(client)
      limit(true)
      client.release()
      return result
    } catch (error) {
      client.release(true)
      limit(true)
      throw error
    }
  }
}

interface Parts {
  kind: DatabaseClient['kind']
  pool: pg.Pool
  apart?: pg.Pool
  access?: ServerAccess
  withoutLimit: Session
  createListener: () => pg.Client
  directory?: string
  disk: DiskSpace
  pulse: Pulse
  log: DatabaseLog | undefined
  beforeClose?: () => void
  afterClose?: () => Promise<void>
}

function assemble(parts: Parts): DatabaseClient {
  const { kind, pool, apart, access, withoutLimit, createListener, directory, disk, pulse, log, ...hooks } =
    parts
  const pools = apart === undefined ? [pool] : [pool, apart]
  for (const each of pools) {
    each.on('error', (error) => log?.warn({ err: error }, 'A pooled connection failed'))
    // The pool doesn't watch clients that are checked out, and an unheard error would end the process.
    each.on('connect', (client) => client.on('error', () => {}))
  }
  const listener = new Listener({ createClient: createListener, log })
  const proof =
    access === undefined
      ? null
      : new NotificationProof({
          pool,
          listener,
          way: { ...access.direct, hasDirectUrl: access.hasDirectUrl },
          log,
        })
  const rowChanges = new RowChanges({ pools, listener: kind === 'embedded' ? null : listener, proof })
  const watch = kind === 'embedded' ? undefined : new MoveWatch({ pool, rowChanges, log })
  const close = async () => {
    watch?.close()
    proof?.close()
    hooks.beforeClose?.()
    await listener.close()
    await endPool(pool)
    await hooks.afterClose?.()
  }
  let closed: Promise<void> | undefined
  return {
    kind,
    pool,
    db: drizzle(pool, { schema, casing: 'snake_case' }),
    directory: directory ?? null,
    listen: (subscription) => listener.listen(subscription),
    rowChanges,
    showHeldKeys: (held) => {
      if (kind === 'server') listener.showAs(nameHeldKeys(held))
    },
    listHeldKeys: async () => (kind === 'server' ? listHeldKeys(pool) : []),
    move: watch ?? neverMoved,
    notifications: proof ?? noneMissing,
    access: access ?? null,
    withoutLimit,
    disk,
    pulse,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

async function endPool(pool: pg.Pool) {
  await Promise.race([drain(pool), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
}

async function drain(pool: pg.Pool) {
  // Once it is ending, a pool no longer serves waiting requests for a connection.
  while (pool.waitingCount > 0) await delay(WAITING_CHECK_MS)
  await pool.end()
}

/** Ids of the keys that a process has: never the keys. */
interface HeldKeys {
  seals: string
  opens: string[]
}

const NAME = `${LISTENER_NAME} with keys`

/** The name of a process's listening connection, which the server shows as long as it is there. */
const nameHeldKeys = ({ seals, opens }: HeldKeys): string =>
  [NAME, seals, ...opens.filter((id) => id !== seals)].join(' ')

async function listHeldKeys(pool: pg.Pool): Promise<HeldKeys[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
      where datname = current_database() and application_name like '${NAME} %'`,
  )
  return rows.map(({ name }) => {
    const opens = name.slice(NAME.length + 1).split(' ')
    return { seals: opens[0] ?? '', opens }
  })
}
