import { createApi } from '../../e2e/harness/api.ts'
import { startServer } from '../../e2e/harness/server.ts'
import { startPostgres } from './library.ts'
import { type Contender, newAgent } from './load.ts'

export const DATABASES = { embedded: 'embedded', server: 'PostgreSQL' } as const
export type DatabaseKind = keyof typeof DATABASES

type BenchProgram = Awaited<ReturnType<typeof startProgram>>

interface Started {
  kind: DatabaseKind
  /** The file that starts it; undefined: this checkout's. */
  program?: string | undefined
  /** What answers its runs. */
  provider?: { url: string }
}

/** The program as a process of its own, on a database of its own, without limits that a bench would meet. */
export async function startProgram({ kind, program, provider }: Started) {
  const postgres = kind === 'server' ? await startPostgres() : undefined
  const server = await startServer({
    ...(program !== undefined && { program }),
    env: {
      LOG_LEVEL: 'warn',
      RUNS_PER_MINUTE: '10000000',
      QUOTAS: '{"text": 10000000000, "writes": 1000000, "reads": 1000000}',
      ...(provider !== undefined && { ANTHROPIC_API_KEY: 'bench', ANTHROPIC_BASE_URL: provider.url }),
      ...(postgres !== undefined && { DATABASE_URL: postgres.url }),
    },
  })
  return {
    server,
    databaseUrl: postgres?.url,
    /** A new account and what its browser sends. The first one is an administrator's. */
    signUp: async (username: string) => {
      const api = createApi(server.url)
      const account = { username, email: `${username}@example.org`, password: 'bench bench bench' }
      await api.post('/api/register', account)
      const cookies = api.cookies().map(({ name, value }) => `${name}=${value}`)
      return { api, cookie: cookies.join('; ') }
    },
    close: async () => {
      await server.dispose()
      await postgres?.close()
    },
  }
}

/** Streamed runs of a prompt. */
export const runsOf = (
  { server }: Pick<BenchProgram, 'server'>,
  { cookie, ...body }: { cookie: string; promptId: number; variables: Record<string, string> },
): Contender => ({
  agent: newAgent(),
  url: `${server.url}/api/execute-prompt`,
  headers: { accept: 'text/event-stream', cookie, origin: server.url },
  body: JSON.stringify(body),
})
