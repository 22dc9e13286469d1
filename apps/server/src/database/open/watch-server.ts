import { StartError } from '../../errors.ts'
import { isPooled } from '../server/pooler.ts'
import {
  judgeClock,
  judgeConnections,
  judgeEncoding,
  judgeLimit,
  judgeRights,
  judgeSchema,
  judgeSession,
  judgeTrigrams,
  readServerState,
  type Trouble,
} from '../server/server-troubles.ts'
import type { DatabaseLog } from '../signals/database-log.ts'
import type { DatabaseClient } from './client.ts'

interface WatchOptions {
  database: Pick<DatabaseClient, 'access' | 'pool'>
  log: DatabaseLog
  countProcesses: () => Promise<number>
}

const EVERY_MS = 60_000

/**
 * Looks at a server now and each minute, and logs once what is wrong with it, until it is well again. The result ends
 * it. Throws a StartError where nothing would work.
 */
export async function watchServer({
  database: { access, pool },
  log,
  countProcesses,
}: WatchOptions): Promise<() => void> {
  if (access === null) return () => {}
  const known = new Set<string>()
  const look = async () => {
    const troubles = await findTroubles({ access, pool, processes: await countProcesses() })
    for (const [about, trouble] of Object.entries(troubles)) {
      if (trouble === null) known.delete(about)
      else if (!known.has(about)) {
        known.add(about)
        log.warn({ about }, `${trouble.text}. ${trouble.todo}`)
      }
    }
    return Object.values(troubles)
  }
  const fatal = (await look()).find((trouble) => trouble?.isFatal)
  if (fatal) throw new StartError(`${fatal.text}. ${fatal.todo}`)
  const timer = setInterval(() => {
    // A database that is away is told of elsewhere.
    look().catch(() => {})
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

interface Looked {
  access: NonNullable<DatabaseClient['access']>
  pool: DatabaseClient['pool']
  processes: number
}

async function findTroubles({ access, pool, processes }: Looked): Promise<Record<string, Trouble | null>> {
  const { pooler } = access.way
  const client = await pool.connect()
  try {
    const state = await readServerState(client)
    return {
      pooler: pooler === 'none' && (await isPooled(client)) ? COME_BETWEEN : null,
      encoding: judgeEncoding(state),
      extension: judgeTrigrams(state),
      rights: judgeRights(state),
      limit: judgeLimit({ ...state, pooler }),
      session: judgeSession({ ...state, pooler }),
      schema: judgeSchema(state),
      connections: judgeConnections({ ...state, pooler, processes, poolSize: pool.options.max }),
      clock: judgeClock(state),
    }
  } finally {
    client.release()
  }
}

const COME_BETWEEN: Trouble = {
  text: 'A pooler has come between Catenary and its database since the start',
  todo: 'Restart this process so that it detects the pooler.',
}
