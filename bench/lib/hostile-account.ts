import { openDatabase } from '../../apps/server/src/database/open/client.ts'

/** Filled to its usual quotas, mostly with public things, by the account of that name. */
const FILL = [
  // 80 prompts of a megabyte, each with its first version: 160 MB of text.
  `insert into prompts (owner_id, category_id, title, content, is_public)
     select me.id, 1, 'Public ' || n, case when n <= 80 then repeat('all of it, again and again; ', 37449) else 'Write. ' || n end, true
     from me, generate_series(1, 9990) n`,
  `insert into prompt_versions (prompt_id, number, title, content, author_id)
     select prompts.id, 1, title, content, me.id from me join prompts on owner_id = me.id where is_public`,
  `insert into prompt_versions (prompt_id, number, title, content, author_id)
     select (select min(prompts.id) from me join prompts on owner_id = me.id where is_public), n, 'Older', 'Older ' || n, me.id
     from me, generate_series(2, 40000) n`,
  `insert into variables (owner_id, name, type, content, is_public)
     select me.id, 'topic' || n, 'text', repeat('value ', 100), true from me, generate_series(1, 4990) n`,
  `insert into chains (owner_id, name, description, shared_level)
     select me.id, 'Public chain ' || n, repeat('described ', 100), 'public' from me, generate_series(1, 1990) n`,
  `insert into chain_steps (chain_id, position, content, model, output_variable_name)
     select chains.id, n, '{{input}} ' || repeat('step ', 50), 'claude', 'out' || n
     from me join chains on owner_id = me.id, generate_series(1, 9) n where shared_level = 'public'`,
  `insert into files (owner_id, key, content)
     select me.id, 'uploads/' || n || '_file.txt', repeat('x', 49000) from me, generate_series(1, 1990) n`,
  `insert into tags (kind, name, created_by)
     select 'prompt', 'filled ' || n, me.id from me, generate_series(1, 990) n`,
  `insert into categories (name, created_by) select 'filled ' || n, me.id from me, generate_series(1, 190) n`,
]

/** Takes a minute or two. */
export async function fillToQuotas({
  username,
  ...where
}: {
  username: string
  databaseUrl: string | undefined
  dataDir: string
}): Promise<void> {
  const { pool, close } = await openDatabase({ ...where, fsync: false })
  for (const statement of FILL) {
    const [, verb, rest] = /^(insert into \S+ \([^)]*\))([\s\S]*)$/.exec(statement) ?? []
    await pool.query(`with me as (select id from users where username = $1) ${verb} ${rest}`, [username])
  }
  await pool.query('vacuum analyze')
  await close()
}
