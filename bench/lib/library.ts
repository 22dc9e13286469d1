import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../apps/server/src/database/open/client.ts'
import { migrate } from '../../apps/server/src/database/open/migrate.ts'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { createPostgres } from '../../apps/server/src/testing/postgres.ts'

export const PROMPTS = 10_000

/**
 * Of a deterministic mix of words, 60 to 150 a prompt, and one that no other has; three tags each; all public, and the
 * first account's. Word by word an index is quicker built at once than row by row.
 */
const fill = (count: number) => `
  create temp table word_indexes as select indexname, indexdef from pg_indexes where tablename = 'prompts' and indexdef ~ 'USING gin';
  do $$ declare each record; begin
    for each in select * from word_indexes loop execute format('drop index %I', each.indexname); end loop;
  end $$;
  insert into tags (name, kind) select 'tag ' || i, 'prompt' from generate_series(1, 40) i;
  insert into prompts (owner_id, category_id, title, content, is_public, updated_at)
    select (select min(id) from users), 1 + i % 4, 'Prompt number ' || i, (
      select string_agg((array['write', 'a', 'letter', 'to', '$<customer>', 'about', 'the', 'bridge', 'keep', 'it',
        'short', 'answer', 'question', 'with', 'numbers', 'table', 'of', 'results', 'first', 'then', 'explain'])
        [1 + (hashint4(i * 131 + word) & 2147483647) % 21], ' ')
      from generate_series(1, 60 + i % 90) word
    ) || ' ' || md5(i::text), true, now() - i * interval '1 minute'
    from generate_series(1, ${count}) i;
  insert into prompt_tags
    select distinct prompts.id, 1 + (prompts.id * 7 + k * 13) % 40 from prompts, generate_series(1, 3) k;
  do $$ declare each record; begin
    for each in select * from word_indexes loop execute each.indexdef; end loop;
  end $$;
  drop table word_indexes`

export interface BenchDatabase {
  database: Awaited<ReturnType<typeof openDatabase>>
  close(): Promise<void>
}

/** A migrated database of its own: embedded as it is shipped, or a PostgreSQL with its default settings. */
export async function openBenchDatabase(kind: 'embedded' | 'server'): Promise<BenchDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'catenary-bench-'))
  const server = kind === 'server' ? await startPostgres() : undefined
  const database = await openDatabase({
    databaseUrl: server?.url,
    dataDir: directory,
    fsync: true,
    statementLimitMs: 600_000,
  })
  await migrate({ database })
  return {
    database,
    close: async () => {
      await database.close()
      await server?.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Fills in the prompts, once there is an account. */
export async function fillLibrary(
  { database }: Pick<BenchDatabase, 'database'>,
  count = PROMPTS,
): Promise<void> {
  await database.pool.query(fill(count))
  await database.pool.query('vacuum analyze')
}

interface BenchPostgres {
  url: string
  /** Makes an empty one; its address. */
  createDatabase(name: string): Promise<string>
  close(): Promise<void>
}

/** A PostgreSQL with its default settings, in a folder of its own. */
export async function startPostgres(): Promise<BenchPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-bench-postgres-'))
  // It may run as another user, which needs access to its files.
  await chmod(folder, 0o755)
  const port = await freePort()
  const postgres = createPostgres({ databaseDir: join(folder, 'data'), port })
  await postgres.initialise()
  await postgres.start()
  const urlOf = (name: string) => `postgres://postgres:password@127.0.0.1:${port}/${name}`
  return {
    url: urlOf('postgres'),
    createDatabase: async (name) => {
      await postgres.createDatabase(name)
      return urlOf(name)
    },
    close: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
