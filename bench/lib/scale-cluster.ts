import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Chain, CreatedChainToken } from '@catenary/contracts'
import { connectTo } from '../../apps/server/src/testing/connect.ts'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { createPostgres } from '../../apps/server/src/testing/postgres.ts'
import { type Api, createApi } from '../../e2e/harness/api.ts'
import { startHaproxy } from '../../e2e/harness/haproxy.ts'
import { type RunningServer, startServer } from '../../e2e/harness/server.ts'
import { processorMs } from './processor-time.ts'

const ACCOUNT = { username: 'bench', email: 'bench@example.org', password: 'bench bench bench' }
const QUOTAS = '{"writes": 1000000, "reads": 1000000, "streams": 10000}'

/** A PostgreSQL that counts its statements. */
export async function startCountingPostgres() {
  const root = await mkdtemp(join(tmpdir(), 'catenary-bench-'))
  await chmod(root, 0o755)
  const [databaseDir, port] = [join(root, 'data'), await freePort()]
  const settings = { shared_preload_libraries: 'pg_stat_statements', max_connections: '300' }
  const postgres = createPostgres({ databaseDir, port, settings })
  await postgres.initialise()
  await postgres.start()
  const urlOf = (name: string) => `postgres://postgres:password@127.0.0.1:${port}/${name}`
  const admin = await connectTo(urlOf('postgres'))
  await admin.query('create extension pg_stat_statements')
  const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
  return {
    create: async (name: string) => {
      await admin.query(`create database ${name}`)
      return urlOf(name)
    },
    /** What it has taken and done so far; the statements are those of these databases. */
    read: async (names: string[]) => {
      const { rows } = await admin.query(
        `select coalesce(sum(calls), 0)::float8 as statements from pg_stat_statements
         join pg_database on pg_database.oid = dbid where datname = any ($1)`,
        [names],
      )
      return { ms: processorMs([Number(pid)]), statements: rows[0].statements as number }
    },
    close: async () => {
      await admin.end()
      await postgres.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

export interface ScaleCluster {
  /** Through HAProxy. */
  url: string
  api: Api
  database: string
  pids: number[]
  /** A chain of so many steps, and a token for it. */
  makeChain(steps: number): Promise<{ id: number; token: string }>
  /** Until no run is under way. */
  untilIdle(): Promise<void>
  close(): Promise<void>
}

/** So many processes behind HAProxy, on a database of their own. */
export async function startScaleCluster({
  count,
  databaseUrl,
  modelUrl,
  env: own,
}: {
  count: number
  databaseUrl: string
  modelUrl: string
  env: Record<string, string>
}): Promise<ScaleCluster> {
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
  const front = await startHaproxy({ file: 'haproxy-programs.cfg', servers: ports.map((port) => ({ port })) })
  const url = `http://127.0.0.1:${front.port}`
  const env = {
    ...{ DATABASE_URL: databaseUrl, SECRET_KEY: 'a key for benches, longer than 32 characters' },
    ...{ PUBLIC_URL: url, TRUST_PROXY: 'on', QUOTAS, RUNS_PER_MINUTE: '1000000', LOG_LEVEL: 'warn' },
    ...{
      OPENAI_API_KEY: 'bench',
      OPENAI_BASE_URL: modelUrl,
      MODEL_CALLS_AT_ONCE: '1000',
      CHAIN_RUNS_AT_ONCE: '100',
    },
    ...own,
  }
  const servers: RunningServer[] = []
  for (const port of ports) servers.push(await startServer({ port, env }))
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) await delay(50)
  const api = createApi(url)
  await api.post('/api/register', ACCOUNT)
  const client = await connectTo(databaseUrl)
  return {
    url,
    api,
    database: new URL(databaseUrl).pathname.slice(1),
    pids: servers.map((server) => server.pid()),
    makeChain: async (steps) => {
      const { id } = await api.post<Chain>('/api/chains', { name: `Of ${steps}` })
      for (let position = 0; position < steps; position += 1) {
        const content = position === 0 ? '{{input}}' : `Go on: {{out_${position - 1}}}`
        await api.post(`/api/chains/${id}/steps`, {
          content,
          position,
          outputVariableName: `out_${position}`,
        })
      }
      const { token } = await api.post<CreatedChainToken>('/api/tokens', { name: 'Bench', chainId: id })
      return { id, token }
    },
    untilIdle: async () => {
      const some = `select from executions where status = 'running' limit 1`
      while (((await client.query(some)).rowCount ?? 0) > 0) await delay(100)
    },
    close: async () => {
      await client.end()
      for (const server of servers) await server.dispose()
      await front.close()
    },
  }
}
