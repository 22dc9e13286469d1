import { sql } from 'drizzle-orm'
import type { Library } from './library.ts'

/** The newest of what was made, by noun. */
type MadeIds = Record<string, number>

interface Filling {
  library: Library
  ids: MadeIds
  user: number
  /** Gives the id of the first row that was made. */
  run: (query: ReturnType<typeof sql>) => Promise<number>
}

/**
 * Fills a library with more of everything than a page of a list has: texts of the character that takes most in JSON, six
 * bytes, where a text may have any, and longer than lists show.
 */
export async function fillToBounds(library: Library): Promise<{ ids: MadeIds; readToken: string }> {
  const run = async (query: ReturnType<typeof sql>): Promise<number> => {
    const { rows } = await library.db.execute<{ id: number }>(query)
    return rows[0]?.id ?? 0
  }
  const filling: Filling = { library, ids: {}, user: library.owner.user.id, run }
  await fillPrompts(filling)
  await fillChains(filling)
  await fillPeople(filling)
  const readToken = await fillTokens(filling)
  await fillRuns(filling)
  await fillSuites(filling)
  await fillWebhooks(filling)
  return { ids: filling.ids, readToken }
}

async function fillWebhooks({ ids, user, run }: Filling): Promise<void> {
  ids.webhook = await run(sql`insert into webhooks (user_id, url, events, sealed_secret)
    values (${user}, 'https://example.org', '{run.failed}', '') returning id`)
  await run(sql`insert into webhook_deliveries (webhook_id, key, object, message_id, type, data, tries, answer, created_at)
    select ${ids.webhook}, 'k' || n, 'o' || n, 'm' || n, 'run.failed', jsonb_build_object('name', repeat(chr(1), 2000)),
      (select jsonb_agg(jsonb_build_object('at', '2026-11-27T09:00:00.000Z', 'status', null, 'ms', 1,
        'error', repeat(chr(1), 200), 'isByHand', false)) from generate_series(1, 20)),
      repeat(chr(1), 2000), now() from generate_series(1, 1100) n`)
}

async function fillPrompts({ library, ids, user, run }: Filling): Promise<void> {
  await run(sql`insert into categories (name) select n || repeat(chr(1), 45) from generate_series(1, 1100) n`)
  await run(sql`insert into tags (kind, name, created_by) select kind::tag_kind, n || repeat(chr(1), 45), ${user}
    from unnest(array['prompt', 'variable', 'chain']) kind, generate_series(1, 1100) n`)
  ids.prompt = await run(sql`insert into prompts (owner_id, category_id, title, content, is_public)
    select ${user}, ${library.categoryId}, repeat(chr(1), 200), '$<seen>' || repeat(chr(1), 2000), true
    from generate_series(1, 1100) returning id`)
  await run(sql`insert into prompt_tags (prompt_id, tag_id)
    select prompts.id, tags.id from (select id from prompts order by updated_at desc, id desc limit 150) prompts,
      (select id from tags where kind = 'prompt' limit 50) tags`)
  await run(sql`insert into prompt_versions (prompt_id, number, title, content, author_id)
    select ${ids.prompt}, n, repeat(chr(1), 200), repeat(chr(1), 2000), ${user} from generate_series(1, 1100) n`)
  ids.variable = await run(sql`insert into variables (owner_id, name, type, content, api_url, api_headers)
    select ${user}, case when n = 1 then 'seen' else rpad('v' || n, 50, 'v') end, 'text', repeat(chr(1), 2000),
      repeat('u', 2000), (select jsonb_object_agg(rpad('h' || h, 200, 'h'), repeat('v', 200)) from generate_series(1, 50) h)
    from generate_series(1, 1100) n returning id`)
  await run(sql`insert into variable_tags (variable_id, tag_id)
    select variables.id, tags.id from (select id from variables order by lower(name), id limit 150) variables,
      (select id from tags where kind = 'variable' limit 50) tags`)
}

async function fillChains({ ids, user, run }: Filling): Promise<void> {
  ids.chain =
    await run(sql`insert into chains (owner_id, name, description, shared_level, example_requests, updated_at)
    select ${user}, repeat(chr(1), 100), repeat(chr(1), 2000), 'public',
      array(select repeat(chr(1), 300) from generate_series(1, 10)), now() + make_interval(secs => -n)
    from generate_series(1, 1100) n returning id`)
  await run(sql`insert into chain_tags (chain_id, tag_id)
    select chains.id, tags.id from (select id from chains order by id limit 150) chains,
      (select id from tags where kind = 'chain' limit 50) tags`)
  await run(sql`insert into chain_steps (chain_id, prompt_id, position, title, content, model, output_variable_name, system_prompt)
    select id, ${ids.prompt}, n, repeat(chr(1), 200), '$<seen>' || repeat(chr(1), 2000), 'openai', rpad('o' || n, 50, 'o'),
      repeat(chr(1), 2000)
    from chains, generate_series(1, case when id = ${ids.chain} then 200 else 1 end) n`)
  await run(sql`insert into chain_versions (chain_id, number, name, description, stops_without_value, steps, step_count, bytes, note)
    select ${ids.chain}, n, repeat(chr(1), 100), repeat(chr(1), 2000), 'never', '[]', 200, 2100, repeat(chr(1), 200)
    from generate_series(1, 1100) n`)
  for (const kind of ['prompt', 'chain'])
    await run(sql`insert into label_moves (${sql.identifier(`${kind}_id`)}, label, to_version, moved_at, reason, override)
      select ${ids[kind]}, rpad('l' || n, 36, 'l'), n, now(), repeat(chr(1), 500), false from generate_series(1, 1100) n`)
}

async function fillPeople({ ids, user, run }: Filling): Promise<void> {
  await run(sql`insert into users (name, email, username, display_username)
    select 'filler' || n, rpad('f' || n, 200, 'f') || '@example.org', rpad('filler' || n, 30, 'f'), rpad('Filler' || n, 30, 'F')
    from generate_series(1, 1100) n`)
  await run(sql`insert into chain_shares (chain_id, user_id, role)
    select ${ids.chain}, id, 'editor' from users where name like 'filler%' limit 200`)
  await run(sql`insert into prompt_shares (prompt_id, user_id, role)
    select ${ids.prompt}, id, 'editor' from users where name like 'filler%' limit 200`)
  await run(sql`insert into sessions (user_id, token, expires_at, ip_address, user_agent)
    select ${user}, 'filler' || n, now() + interval '1 day', '2001:db8::1', repeat(chr(1), 2000) from generate_series(1, 1100) n`)
}

/** The scopes of a thousand prompts or chains. */
const thousand = (kind: 'prompt' | 'chain') =>
  sql.raw(`array(select '${kind}:' || id from (select id from ${kind}s order by id limit 1000) as named)`)

/** Gives the token that reads prompts. */
async function fillTokens({ library, ids, user, run }: Filling): Promise<string> {
  ids.token = await run(sql`insert into api_tokens (kind, created_by, chain_id, scopes, name, prefix, sha256)
    select 'chain', ${user}, ${ids.chain}, array['chain:' || ${ids.chain}::integer, 'run'], repeat(chr(1), 100), 'ctc_1234', 'chain' || n from generate_series(1, 1100) n
    returning id`)
  const best = await run(sql`insert into api_tokens (kind, created_by, scopes, name, prefix, sha256)
    select 'best', ${user}, ${thousand('chain')} || '{run}', repeat(chr(1), 100), 'ctb_1234', 'best' || n from generate_series(1, 30) n returning id`)
  const { rows: read } = await library.db.execute<{ id: number }>(
    sql`select id from prompts order by updated_at desc, id desc limit 100`,
  )
  const promptIds = read.map(({ id }) => id)
  const made = await library.request({
    ...{ method: 'POST', url: '/api/read-tokens', as: library.owner, body: { name: 'Read', promptIds } },
  })
  const { token } = made.body as { token: string }
  await run(sql`insert into api_tokens (kind, created_by, scopes, name, prefix, sha256)
    select 'read', ${user}, ${thousand('prompt')} || '{read}', repeat(chr(1), 100), 'ctr_1234', 'read' || n from generate_series(1, 30) n`)
  await run(sql`insert into api_tokens (kind, created_by, scopes, name, prefix, sha256)
    select 'mcp', ${user}, ${thousand('prompt')} || ${thousand('chain')} || '{agent}', repeat(chr(1), 100), 'ctm_1234', 'mcp' || n
    from generate_series(1, 30) n`)
  await run(sql`insert into prompt_skills (prompt_id, description, parts)
    select id, repeat(chr(1), 1024), '[]' from prompts order by id limit 1100`)
  await run(sql`insert into prompt_fetches (user_id, token_name, prompt_id, kind, version, label, client, count, first_at, last_at)
    select ${user}, repeat(chr(1), 100), ${ids.prompt}, 'skill', n, repeat('l', 36), repeat('c', 100), 1, now(), now()
    from generate_series(1, 1100) n`)
  await run(sql`insert into api_tokens (kind, created_by, name, prefix, sha256)
    select 'folder', ${user}, repeat(chr(1), 100), 'ctf_1234', 'folder' || n from generate_series(1, 30) n`)
  await run(sql`insert into best_chain_selections (user_id, token_name, api_token_id, request, chain_id, chain_name, way, reasoning, scores)
    select ${user}, repeat(chr(1), 100), ${best}, repeat(chr(1), 2000), ${ids.chain}, repeat(chr(1), 100), 'judge', repeat(chr(1), 1000), scores
    from generate_series(1, 120), (
      select jsonb_agg(jsonb_build_object('chainId', n, 'chainName', repeat(chr(1), 100), 'score', 0.5, 'shown', true)) scores
      from generate_series(1, 1000) n) made`)
  return token
}

async function fillRuns({ ids, user, run }: Filling): Promise<void> {
  await run(sql`insert into scheduled_runs (chain_id, created_by, name, input, scheduled_time, time_zone, email_recipients, next_due_at)
    select ${ids.chain}, ${user}, repeat(chr(1), 100), repeat(chr(1), 200000), now(), 'UTC',
      (select jsonb_agg(rpad('a' || n, 240, 'a') || '@example.org') from generate_series(1, 20) n), now()
    from generate_series(1, 200)`)
  await run(sql`insert into scheduled_occurrences (scheduled_run_id, due_at, state, reason)
    select id, now() - make_interval(secs => n), 'failed', repeat(chr(1), 500) from scheduled_runs, generate_series(1, 30) n`)
  ids.run =
    await run(sql`insert into executions (kind, user_id, prompt_id, chain_id, chain_name, api_token_id, status, user_input,
      variable_values, error, step_count, api_call)
    select case when n % 2 = 1 then 'chain' else 'prompt' end::execution_kind, ${user},
      case when n % 2 = 0 then ${ids.prompt}::integer end, case when n % 2 = 1 then ${ids.chain}::integer end,
      repeat(chr(1), 100), case when n % 2 = 1 then ${ids.token}::integer end, 'failed', repeat(chr(1), 2000),
      jsonb_build_object('name', repeat(chr(1), 600)), repeat(chr(1), 1000), case when n = 1 then 200 else 1 end,
      jsonb_build_object('path', '/v1/messages', 'ignored', (select jsonb_agg(repeat('i', 50)) from generate_series(1, 50)), 'depth', 1)
    from generate_series(1, 2200) n order by n returning id`)
  await run(sql`insert into execution_steps (execution_id, position, status, model, title, input_content, ai_response,
      system_prompt, template, error, output_variable_name)
    select id, n, 'completed', 'openai', repeat(chr(1), 200), repeat(chr(1), length), repeat(chr(1), length),
      repeat(chr(1), 2000), repeat(chr(1), 2000), repeat(chr(1), 200), rpad('o' || n, 50, 'o')
    from executions, generate_series(0, step_count - 1) n, lateral (
      select case when step_count > 1 then 20000 else 2000 end) texts (length)`)
}

async function fillSuites({ ids, user, run }: Filling): Promise<void> {
  await run(sql`insert into test_suites (chain_id, owner_id, name)
    select ${ids.chain}, ${user}, repeat(chr(1), 200) from generate_series(1, 50)`)
  ids.suite = await run(sql`insert into test_suites (prompt_id, owner_id, name)
    select ${ids.prompt}, ${user}, repeat(chr(1), 200) from generate_series(1, 50) returning id`)
  await run(sql`insert into test_cases (suite_id, owner_id, position, name, input, bytes)
    select ${ids.suite}, ${user}, n, repeat(chr(1), 200), repeat(chr(1), 33000), 200000 from generate_series(1, 100) n`)
  const targets = JSON.stringify(Array.from({ length: 12 }, () => ({ version: 99_999, model: 'claude' })))
  await run(sql`insert into evaluations
    (prompt_id, suite_id, suite_name, started_by, ceiling_nanos, estimate, cases, cases_hash, targets)
    select ${ids.prompt}, ${ids.suite}, repeat(chr(1), 200), ${user}, 1, '{}', '[]', '', ${targets}::jsonb
    from generate_series(1, 200)`)
}
