import pg from 'pg'
import { StartError } from '../../errors.ts'
import type { DatabaseLog } from '../database-log.ts'
import { STATEMENT_LIMIT_MS } from '../long-statements.ts'
import { ServerPulse } from '../pulse.ts'
import { LifeLine, limitAnswers } from './answer-limit.ts'
import { leaveStandbys } from './leave-standbys.ts'
import { examineWay, type Way } from './pooler.ts'
import { explainLimit, readLimit, writeRoleLimit } from './role-limit.ts'
import { UnnamedClient } from './unnamed-client.ts'

/** How a PostgreSQL server is reached. */
interface ServerOptions {
  databaseUrl: string
  /** Leads to the server itself, where `databaseUrl` leads to a pooler. */
  databaseDirectUrl?: string | undefined
  /** How many connections the pool has at most. */
  databasePool?: number | undefined
  connectionTimeoutMs: number
  /** Another than the role's is set in each session, which works without a pooler only. */
  statementLimitMs?: number | undefined
  answerLimitMs?: number | undefined
  log: DatabaseLog | undefined
}

export type Session = <T>(run: (client: pg.PoolClient) => Promise<T>) => Promise<T>

/** What was found on the way to the server when it was opened. */
export interface ServerAccess {
  way: Way
  /** The way of what needs a session of its own. */
  direct: Way
  hasDirectUrl: boolean
}

const POOL_SIZE = 10
/** The system asks an idle connection for a sign of life, and ends it some ten seconds after the last. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
const IDLE_TIMEOUT_MS = 30_000
/** By then a server has ended a statement itself. */
const ANSWER_AFTER_LIMIT_MS = 5_000
/** How long a pooler may let a question wait for a session. */
const QUESTION_MS = 5_000

/** Opens a pool of connections to a server, and the ways beside it; finds out what stands between. */
export async function openServer(options: ServerOptions) {
  const {
    databaseUrl,
    databaseDirectUrl,
    connectionTimeoutMs,
    statementLimitMs = STATEMENT_LIMIT_MS,
  } = options
  const config = {
    connectionTimeoutMillis: connectionTimeoutMs,
    connectionString: databaseUrl,
    ...KEEP_ALIVE,
  }
  const directConfig = { ...config, connectionString: databaseDirectUrl ?? databaseUrl }
  const { access, limit } = await inspect({ config, directConfig, limitMs: statementLimitMs, options })
  const { way } = access
  // In sessions of one client each, older than the role's limit or not.
  const setsLimit =
    way.pooler === 'by session' || (way.pooler === 'none' && limit.limitMs !== statementLimitMs)
  const pool = new pg.Pool({
    ...config,
    max: options.databasePool ?? POOL_SIZE,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    Client: way.keepsNames ? pg.Client : UnnamedClient,
    onConnect: async (client) => {
      if (setsLimit) await client.query(`set statement_timeout = ${statementLimitMs}`)
    },
  })
  const { answerLimitMs = statementLimitMs + ANSWER_AFTER_LIMIT_MS } = options
  limitAnswers(pool, answerLimitMs)
  leaveStandbys(pool)
  const lifeLine = new LifeLine({ createClient: () => new pg.Client(config), limitMs: answerLimitMs })
  const pulse = new ServerPulse({
    isWaitedFor: () => pool.totalCount > pool.idleCount || pool.waitingCount > 0,
    ask: () => lifeLine.ask(),
  })
  // Whoever waits for a lock in there may wait for one who needs another session.
  const apart = new pg.Pool({ ...directConfig, max: Number.POSITIVE_INFINITY })
  return {
    access,
    pool,
    apart,
    createListener: () => new pg.Client(directConfig),
    pulse,
    withoutLimit: sessionsOf(apart, access.direct),
    lifeLine,
  }
}

/** Sessions that end with their use, which frees whatever they hold. */
function sessionsOf(apart: pg.Pool, { pooler }: Way): Session {
  return async (run) => {
    const client = await apart.connect()
    try {
      // A shared session would go on without a limit, at whoever has it next.
      if (pooler !== 'shared') await client.query('set statement_timeout = 0')
      return await run(client)
    } finally {
      client.release(true)
    }
  }
}

interface Inspection {
  config: pg.ClientConfig
  directConfig: pg.ClientConfig
  limitMs: number
  options: ServerOptions
}

/** Looks at the direct way first: what a new pooler opens after it has the limit. */
async function inspect({ config, directConfig, limitMs, options }: Inspection) {
  const { databaseDirectUrl, log } = options
  const hasDirectUrl = databaseDirectUrl !== undefined
  const ahead = hasDirectUrl ? await inspectDirect(directConfig, { limitMs, log }) : undefined
  const way = await examine(config)
  if (way.pooler !== 'none') log?.info(way, 'A pooler stands before the database')
  const isWritten =
    ahead?.isWritten ?? (await withClient(config, (client) => limitRole(client, { limitMs, log })))
  const limit = await withClient(config, readLimit)
  if (way.pooler === 'shared' && (isWritten || limit.limitMs !== limitMs)) {
    const { text, todo } = explainLimit(limit, limitMs)
    log?.warn({}, `${text}. ${todo}`)
  }
  return { access: { way, direct: ahead?.direct ?? way, hasDirectUrl }, limit }
}

interface LimitOptions {
  limitMs: number
  log: DatabaseLog | undefined
}

async function inspectDirect(config: pg.ClientConfig, options: LimitOptions) {
  try {
    const direct = await examine(config)
    return { direct, isWritten: await withClient(config, (client) => limitRole(client, options)) }
  } catch (error) {
    throw unusableDirectUrl(error)
  }
}

/** Says which of both addresses it was. */
export function unusableDirectUrl(error: unknown): StartError {
  if (error instanceof StartError) return error
  const why = error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error)
  return new StartError(`The database at DATABASE_DIRECT_URL can’t be used: ${why}. See to that address.`, {
    cause: error,
  })
}

/** On connections of its own, as a pooler may have left one of them waiting. */
const examine = (config: pg.ClientConfig): Promise<Way> =>
  withClient(config, (client) => examineWay(client, () => connectTo(config)))

/** Has the role of `client` limit its statements; whether that was changed. */
async function limitRole(client: pg.Client, { limitMs, log }: LimitOptions): Promise<boolean> {
  // Any other is its opener's own: written, two openers would undo each other's.
  if (limitMs !== STATEMENT_LIMIT_MS) return false
  try {
    return await writeRoleLimit(client, limitMs)
  } catch (error) {
    if (!isOfServer(error)) throw error
    log?.warn({ err: error }, 'The time limit of statements could not be set for this role')
    return false
  }
}

const isOfServer = (error: unknown): boolean => error instanceof pg.DatabaseError

async function connectTo(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...config, query_timeout: QUESTION_MS })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function withClient<T>(config: pg.ClientConfig, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectTo(config)
  try {
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
