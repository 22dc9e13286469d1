import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { type Api, createApi } from './api.ts'
import { type RunningHaproxy, startHaproxy } from './haproxy.ts'
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts'
import { seedAccount } from './seed.ts'
import { type RunningServer, startServer } from './server.ts'
import { showLogsOnFailure } from './show-logs.ts'

/** Processes of the program behind HAProxy, on a PostgreSQL with a standby behind HAProxy. */
export interface Cluster {
  pair: PostgresPair
  /** For `DATABASE_URL`: whichever is the primary. */
  databaseUrl: string
  processes: RunningServer[]
  /** Through HAProxy. */
  url: string
  api: Api
  showLogs(): void
  close(): Promise<void>
}

export async function startCluster({
  roles,
  env = {},
  startPair = startPostgresPair,
}: {
  roles: ('all' | 'web' | 'worker')[]
  env?: Record<string, string>
  startPair?: (() => Promise<PostgresPair>) | undefined
}): Promise<Cluster> {
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each()
  }
  try {
    const pair = await startPair()
    closing.push(pair.close)
    const database: RunningHaproxy = await startHaproxy({
      file: 'haproxy-postgresql.cfg',
      servers: pair.servers,
    })
    closing.push(database.close)
    const databaseUrl = `postgres://postgres:password@127.0.0.1:${database.port}/postgres`
    const ports = await Promise.all(roles.map(() => freePort()))
    const serving = ports.filter((_, index) => roles[index] !== 'worker').map((port) => ({ port }))
    const front = await startHaproxy({ file: 'haproxy-programs.cfg', servers: serving })
    closing.push(front.close)
    const url = `http://127.0.0.1:${front.port}`
    const processes: RunningServer[] = []
    for (const [index, role] of roles.entries()) {
      const settings = {
        ...{ ROLE: role, DATABASE_URL: databaseUrl, PUBLIC_URL: url, TRUST_PROXY: 'on' },
        ...{ SECRET_KEY: 'shared by all processes of this instance', ...env },
      }
      const started = await startServer({ port: ports[index] ?? 0, env: settings })
      closing.push(started.dispose)
      processes.push(started)
    }
    const api = createApi(url)
    await untilServed(url)
    await api.post('/api/register', seedAccount)
    const showLogs = () => processes.forEach(showLogsOnFailure)
    return { pair, databaseUrl, processes, url, api, showLogs, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Until HAProxy has seen a process. */
async function untilServed(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) await sleep(50)
}
