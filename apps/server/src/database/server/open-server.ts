import pg from 'pg'
import { namePlace } from '../failures/server-failure.ts'
import type { DatabaseLog } from '../signals/database-log.ts'
import { ServerPulse } from '../signals/pulse.ts'
import { STATEMENT_LIMIT_MS } from '../statements/long-statements.ts'
import { LifeLine, limitAnswers } from './answer-limit.ts'
import { examineWay, type Way } from './pooler.ts'
import { explainLimit, readLimit, type SessionLimit, writeRoleLimit } from './role-limit.ts'
import { readAddress } from './server-address.ts'
import { listOtherSettings, SET_IN_SESSION, setForRole } from './session-settings.ts'

interface ServerOptions {
  databaseUrl: string
  databaseDirectUrl?: string | undefined
  databasePool?: number | undefined
  connectionTimeoutMs: number
  /** Another than the role's is set in each session, which works without a pooler only. */
  statementLimitMs?: number | undefined
  answerLimitMs?: number | undefined
  log: DatabaseLog | undefined
}

export type Session = <T>(run: (client: pg.PoolClient) => Promise<T>) => Promise<T>

export interface ServerAccess {
  way: Way
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

export async function openServer(options: ServerOptions) {
  const { databaseUrl, databaseDirectUrl, connectionTimeoutMs } = options
  const { statementLimitMs = STATEMENT_LIMIT_MS } = options
  const address = await readAddress(databaseUrl, 'DATABASE_URL')
  const direct = databaseDirectUrl ? await readAddress(databaseDirectUrl, 'DATABASE_DIRECT_URL') : address
  const common = { connectionTimeoutMillis: connectionTimeoutMs, ...KEEP_ALIVE }
  const config = { ...common, connectionString: address.url }
  const directConfig = { ...common, connectionString: direct.url }
  const places = { place: address.place, directPlace: direct.place }
  const inspection = { config, directConfig, limitMs: statementLimitMs, options, ...places }
  const { access, limit } = await inspect(inspection)
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
      // What a shared session is told would be another client's too.
      if (way.pooler === 'shared') return
      const limits = setsLimit ? `; set statement_timeout = ${statementLimitMs}` : ''
      await client.query(`${SET_IN_SESSION}${limits}`)
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

function sessionsOf(apart: pg.Pool, { pooler }: Way): Session {
  return async (run) => {
    const client = await apart.connect()
    try {
      // A shared session would go on without a limit for whoever has it next.
      if (pooler !== 'shared') await client.query(`${SET_IN_SESSION}; set statement_timeout = 0`)
      return await run(client)
    } finally {
      client.release(true)
    }
  }
}

interface Inspection {
  config: pg.ClientConfig
  directConfig: pg.ClientConfig
  place: string
  directPlace: string
  limitMs: number
  options: ServerOptions
}

/** Looks at the direct way first: what a new pooler opens after it has the limit. */
async function inspect({ config, directConfig, place, directPlace, limitMs, options }: Inspection) {
  const { databaseDirectUrl, log } = options
  const hasDirectUrl = databaseDirectUrl !== undefined
  const ahead = hasDirectUrl
    ? await naming(directPlace, () => inspectDirect(directConfig, { limitMs, log }))
    : undefined
  return naming(place, async () => {
    const way = await examine(config)
    if (way.pooler !== 'none') log?.info(way, 'There is a pooler in front of the database')
    const isWritten =
      ahead?.isWritten ?? (await withClient(config, (client) => limitRole(client, { limitMs, log })))
    const limit = await withClient(config, readLimit)
    if (way.pooler === 'shared') {
      await setRole({ config, directConfig, limit, log })
      if (isWritten || limit.limitMs !== limitMs) {
        const { text, todo } = explainLimit(limit, limitMs)
        log?.warn({}, `${text}. ${todo}`)
      }
    }
    return { access: { way, direct: ahead?.direct ?? way, hasDirectUrl }, limit }
  })
}

async function naming<T>(place: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    throw namePlace(error, place)
  }
}

interface RoleOptions extends Pick<Inspection, 'config' | 'directConfig'> {
  limit: SessionLimit
  log: DatabaseLog | undefined
}

/** Has the role’s sessions, which a pooler lends, be as the program reads them. What it could not do, `watchServer` says. */
async function setRole({ config, directConfig, limit, log }: RoleOptions): Promise<void> {
  const others = await withClient(config, listOtherSettings)
  if (others.length === 0) return
  const command = setForRole(others, limit)
  try {
    await withClient(directConfig, (client) => client.query(command))
    log?.info({ command }, 'The role was set to what Catenary reads')
  } catch (error) {
    if (!isOfServer(error)) throw error
    log?.warn({ err: error, command }, 'The role could not be set to what Catenary reads')
  }
}

interface LimitOptions {
  limitMs: number
  log: DatabaseLog | undefined
}

async function inspectDirect(config: pg.ClientConfig, options: LimitOptions) {
  const direct = await examine(config)
  return { direct, isWritten: await withClient(config, (client) => limitRole(client, options)) }
}

/** On connections of its own, as a pooler may have left one of them waiting. */
const examine = (config: pg.ClientConfig): Promise<Way> =>
  withClient(config, (client) => examineWay(client, () => connectTo(config)))

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

/** SQLSTATE of a write where only reads are taken. */
const READ_ONLY = '25006'

/**
 * Ends each connection that met a server which only reads, once it is given back: the address may lead to the new
 * primary by then, and the connection stays with the old one. Ended any earlier, the caller's rollback would fail and
 * hide the reason.
 */
function leaveStandbys(pool: pg.Pool): void {
  const metStandby = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) metStandby.add(client)
    })
  })
  pool.on('release', (_error, client) => {
    if (metStandby.has(client)) client.end().catch(() => {})
  })
}

/** A connection that prepares no statement under a name, for a pooler that forgets names between transactions. */
export class UnnamedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const send = this.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((query: unknown, ...rest: unknown[]) =>
      send(withoutName(query), ...rest)) as pg.Client['query']
  }
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query) || 'submit' in query) return query
  return { ...query, name: undefined }
}
