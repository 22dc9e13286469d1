import { sql } from 'drizzle-orm'
import type { ListedIds } from './every-list.ts'
import type { Library } from './library.ts'

interface Filling {
  library: Library
  user: number
  /** Gives the id of the first row that was made. */
  run: (query: ReturnType<typeof sql>) => Promise<number>
  /** So many of everything. */
  rows: number
  /** As many, or fewer of what is large. */
  series: (most?: number) => ReturnType<typeof sql>
}

/** More of everything than a page of a list has. */
export const BEYOND_A_PAGE = 1100

/**
 * Fills a library with so many of everything: texts of the character that takes most in JSON, six bytes, where a text
 * may have any, and longer than lists show.
 */
export async function fillLibrary(
  library: Library,
  { rows }: { rows: number },
): Promise<{ ids: ListedIds; readToken: string }> {
  const run = async (query: ReturnType<typeof sql>): Promise<number> => {
    const made = await library.db.execute<{ id: number }>(query)
    return made.rows[0]?.id ?? 0
  }
  const series = (most = rows) => sql`generate_series(1, ${Math.min(most, rows)}::integer)`
  const filling = { library, user: library.owner.user.id, run, rows, series }
  const prompts = await fillPrompts(filling)
  const variables = await fillVariables(filling)
  const chains = await fillChains(filling, prompts)
  await fillPeople(filling, { prompts, chains })
  const { tokens, readToken } = await fillTokens(filling, { prompts, chains })
  const executions = await fillRuns(filling, { prompts, chains, tokens })
  await fillAsks(filling, { chains, executions })
  const suites = await fillSuites(filling, { prompts, chains })
  const webhooks = await fillWebhooks(filling)
  await fillDeliveries(filling, { tokens })
  await fillViews(filling)
  const groups = await fillGroups(filling, { prompts, chains })
  await fillHandOvers(filling)
  await fillActivity(filling)
  const ids = {
    prompts,
    variables,
    chains,
    tokens,
    'own-tokens': tokens,
    executions,
    groups,
    webhooks,
    'test-suites': suites,
  }
  return { ids, readToken }
}

async function fillViews({ user, run, series }: Filling): Promise<void> {
  await run(sql`insert into views (owner_id, page, name, name_key, query)
    select ${user}, 'prompts', n || repeat(chr(1), 45), n, repeat('q', 2000) from ${series()} n`)
}

async function fillGroups(
  { user, run, series }: Filling,
  { prompts, chains }: Made<'prompts' | 'chains'>,
): Promise<number> {
  const group = await run(sql`insert into groups (name, name_key, made_by)
    select n || repeat(chr(1), 45), n, ${user} from ${series()} n returning id`)
  await run(sql`insert into group_members (group_id, user_id, is_leader)
    select id, ${user}, true from groups where made_by = ${user}`)
  await run(sql`insert into group_members (group_id, user_id)
    select ${group}, id from users where name like 'filler%' order by id limit 999`)
  await run(sql`insert into prompt_group_shares (prompt_id, group_id, role)
    select id, ${group}, 'editor' from prompts`)
  await run(sql`insert into chain_group_shares (chain_id, group_id, role)
    select id, ${group}, 'editor' from chains`)
  await run(sql`insert into prompt_group_shares (prompt_id, group_id, role)
    select ${prompts}, id, 'viewer' from groups where made_by = ${user} order by id limit 200 on conflict do nothing`)
  await run(sql`insert into chain_group_shares (chain_id, group_id, role)
    select ${chains}, id, 'viewer' from groups where made_by = ${user} order by id limit 200 on conflict do nothing`)
  return group
}

async function fillAsks(
  { user, run, series }: Filling,
  { chains, executions }: Made<'chains' | 'executions'>,
): Promise<void> {
  await run(sql`insert into asks (execution_id, attempt, position, title, user_id, chain_id, question, text, editable, people,
      groups, asked, not_the_runner, choices, on_deadline, deadline, input, given_text, reason)
    select ${executions}, 1, n, repeat(chr(1), 200), ${user}, ${chains}, repeat(chr(1), 300), repeat(chr(1), 2000), true,
      array[${user}::integer], '{}', jsonb_build_object('people', jsonb_build_array(repeat(chr(1), 100)), 'groups', '[]'::jsonb),
      false, jsonb_build_array(jsonb_build_object('id', 'a', 'label', repeat(chr(1), 60))), 'a', now(), '{}',
      repeat(chr(1), 2000), repeat(chr(1), 2000) from ${series()} n`)
}

async function fillHandOvers({ user, run }: Filling): Promise<void> {
  await run(sql`insert into hand_overs (prompt_id, owner_id, user_id, keep)
    select id, owner_id, (select min(id) from users where id <> ${user}), 'editor' from prompts`)
}

async function fillActivity({ user, run, series }: Filling): Promise<void> {
  await run(sql`insert into activity (person_id, kind, object_type, object_id, owner_id, door, address, after)
    select ${user}, 'label.protected', 'label', n, ${user}, 'page', '203.0.113.7',
      jsonb_build_object('label', repeat(chr(1), 50)) from ${series()} n`)
}

async function fillWebhooks({ user, run, series }: Filling): Promise<number> {
  const webhook = await run(sql`insert into webhooks (user_id, url, events, sealed_secret)
    values (${user}, 'https://example.org', '{run.failed}', '') returning id`)
  await run(sql`insert into webhook_deliveries (webhook_id, key, object, message_id, type, data, tries, answer, created_at)
    select ${webhook}, 'k' || n, 'o' || n, 'm' || n, 'run.failed', jsonb_build_object('name', repeat(chr(1), 2000)),
      (select jsonb_agg(jsonb_build_object('at', '2026-11-27T09:00:00.000Z', 'status', null, 'ms', 1,
        'error', repeat(chr(1), 200), 'isByHand', false)) from generate_series(1, 20)),
      repeat(chr(1), 2000), now() from ${series()} n`)
  return webhook
}

async function fillDeliveries({ run, series }: Filling, { tokens }: Made<'tokens'>): Promise<void> {
  await run(sql`insert into hook_deliveries (api_token_id, delivery_id, known_as, address, status, reason, execution_id)
    select ${tokens}, n || repeat(chr(1), 240), n, repeat('f', 45), 401, repeat(chr(1), 200), n from ${series()} n`)
}

async function fillPrompts({ library, user, run, series }: Filling): Promise<number> {
  await run(sql`insert into categories (name) select n || repeat(chr(1), 45) from ${series()} n`)
  await run(sql`insert into tags (kind, name, created_by) select kind::tag_kind, n || repeat(chr(1), 45), ${user}
    from unnest(array['prompt', 'variable', 'chain']) kind, ${series()} n`)
  const prompt = await run(sql`insert into prompts (owner_id, category_id, title, content, is_public)
    select ${user}, ${library.categoryId}, repeat(chr(1), 200), '$<seen>' || repeat(chr(1), 2000), true
    from ${series()} returning id`)
  await run(sql`insert into prompt_tags (prompt_id, tag_id)
    select prompts.id, tags.id from (select id from prompts order by updated_at desc, id desc limit 150) prompts,
      (select id from tags where kind = 'prompt' limit 50) tags`)
  await run(sql`insert into prompt_versions (prompt_id, number, title, content, author_id)
    select ${prompt}, n, repeat(chr(1), 200), repeat(chr(1), 2000), ${user} from ${series()} n`)
  return prompt
}

async function fillVariables({ user, run, series }: Filling): Promise<number> {
  const variable = await run(sql`insert into variables (owner_id, name, type, content, api_url, api_headers)
    select ${user}, case when n = 1 then 'seen' else rpad('v' || n, 50, 'v') end, 'text', repeat(chr(1), 2000),
      repeat('u', 2000), (select jsonb_object_agg(rpad('h' || h, 200, 'h'), repeat('v', 200)) from generate_series(1, 50) h)
    from ${series()} n returning id`)
  await run(sql`insert into variable_tags (variable_id, tag_id)
    select variables.id, tags.id from (select id from variables order by lower(name), id limit 150) variables,
      (select id from tags where kind = 'variable' limit 50) tags`)
  return variable
}

async function fillChains({ user, run, series }: Filling, prompt: number): Promise<number> {
  const chain =
    await run(sql`insert into chains (owner_id, name, description, shared_level, example_requests, updated_at)
    select ${user}, repeat(chr(1), 100), repeat(chr(1), 2000), 'public',
      array(select repeat(chr(1), 300) from generate_series(1, 10)), now() + make_interval(secs => -n)
    from ${series()} n returning id`)
  await run(sql`insert into chain_tags (chain_id, tag_id)
    select chains.id, tags.id from (select id from chains order by id limit 150) chains,
      (select id from tags where kind = 'chain' limit 50) tags`)
  await run(sql`insert into chain_steps (chain_id, prompt_id, position, title, content, model, output_variable_name, system_prompt)
    select id, ${prompt}, n, repeat(chr(1), 200), '$<seen>' || repeat(chr(1), 2000), 'openai', rpad('o' || n, 50, 'o'),
      repeat(chr(1), 2000)
    from chains, ${series(200)} n where n = 1 or id = ${chain}`)
  await run(sql`insert into chain_versions (chain_id, number, name, description, stops_without_value, steps, step_count, bytes, note)
    select ${chain}, n, repeat(chr(1), 100), repeat(chr(1), 2000), 'never', '[]', 200, 2100, repeat(chr(1), 200)
    from ${series()} n`)
  for (const [kind, id] of Object.entries({ prompt, chain }))
    await run(sql`insert into label_moves (${sql.identifier(`${kind}_id`)}, label, to_version, moved_at, reason, override)
      select ${id}, rpad('l' || n, 36, 'l'), n, now(), repeat(chr(1), 500), false from ${series()} n`)
  return chain
}

type Made<Noun extends keyof ListedIds> = Pick<ListedIds, Noun>

async function fillPeople(
  { user, run, series }: Filling,
  { prompts, chains }: Made<'prompts' | 'chains'>,
): Promise<void> {
  await run(sql`insert into users (name, email, username, display_username)
    select 'filler' || n, rpad('f' || n, 200, 'f') || '@example.org', rpad('filler' || n, 30, 'f'), rpad('Filler' || n, 30, 'F')
    from ${series()} n`)
  await run(sql`insert into chain_shares (chain_id, user_id, role)
    select ${chains}, id, 'editor' from users where name like 'filler%' limit 200`)
  await run(sql`insert into prompt_shares (prompt_id, user_id, role)
    select ${prompts}, id, 'editor' from users where name like 'filler%' limit 200`)
  await run(sql`insert into sessions (user_id, token, expires_at, ip_address, user_agent)
    select ${user}, 'filler' || n, now() + interval '1 day', '2001:db8::1', repeat(chr(1), 2000) from ${series()} n`)
}

/** The scopes of a thousand prompts or chains. */
const thousand = (kind: 'prompt' | 'chain') =>
  sql.raw(`array(select '${kind}:' || id from (select id from ${kind}s order by id limit 1000) as named)`)

async function fillTokens(
  { library, user, run, series }: Filling,
  { prompts, chains }: Made<'prompts' | 'chains'>,
): Promise<{ tokens: number; readToken: string }> {
  const tokens =
    await run(sql`insert into api_tokens (kind, created_by, chain_id, scopes, name, prefix, sha256)
    select 'chain', ${user}, ${chains}, array['chain:' || ${chains}::integer, 'run'], repeat(chr(1), 100), 'ctc_1234', 'chain' || n from ${series()} n
    returning id`)
  const best = await run(sql`insert into api_tokens (kind, created_by, scopes, name, prefix, sha256)
    select 'best', ${user}, ${thousand('chain')} || '{run}', repeat(chr(1), 100), 'ctb_1234', 'best' || n from ${series(30)} n returning id`)
  const { rows: read } = await library.db.execute<{ id: number }>(
    sql`select id from prompts order by updated_at desc, id desc limit 100`,
  )
  const promptIds = read.map(({ id }) => id)
  const made = await library.request({
    ...{ method: 'POST', url: '/api/read-tokens', as: library.owner, body: { name: 'Read', promptIds } },
  })
  const { token } = made.body as { token: string }
  await run(sql`insert into api_tokens (kind, created_by, scopes, name, prefix, sha256)
    select 'read', ${user}, ${thousand('prompt')} || '{read}', repeat(chr(1), 100), 'ctr_1234', 'read' || n from ${series(30)} n`)
  await run(sql`insert into api_tokens (kind, created_by, scopes, name, prefix, sha256)
    select 'mcp', ${user}, ${thousand('prompt')} || ${thousand('chain')} || '{agent}', repeat(chr(1), 100), 'ctm_1234', 'mcp' || n
    from ${series(30)} n`)
  await run(sql`insert into prompt_skills (prompt_id, description, parts)
    select id, repeat(chr(1), 1024), '[]' from prompts order by id limit 1100`)
  await run(sql`insert into prompt_fetches (user_id, token_name, prompt_id, kind, version, label, client, count, first_at, last_at)
    select ${user}, repeat(chr(1), 100), ${prompts}, 'skill', n, repeat('l', 36), repeat('c', 100), 1, now(), now()
    from ${series()} n`)
  await run(sql`insert into api_tokens (kind, created_by, name, prefix, sha256)
    select 'folder', ${user}, repeat(chr(1), 100), 'ctf_1234', 'folder' || n from ${series(30)} n`)
  await run(sql`insert into best_chain_selections (user_id, token_name, api_token_id, request, chain_id, chain_name, way, reasoning, scores)
    select ${user}, repeat(chr(1), 100), ${best}, repeat(chr(1), 2000), ${chains}, repeat(chr(1), 100), 'judge', repeat(chr(1), 1000), scores
    from ${series(120)}, (
      select jsonb_agg(jsonb_build_object('chainId', n, 'chainName', repeat(chr(1), 100), 'score', 0.5, 'shown', true)) scores
      from generate_series(1, 1000) n) made`)
  return { tokens, readToken: token }
}

async function fillRuns(
  { user, run, rows, series }: Filling,
  { prompts, chains, tokens }: Made<'prompts' | 'chains' | 'tokens'>,
): Promise<number> {
  await run(sql`insert into scheduled_runs (chain_id, created_by, name, input, scheduled_time, time_zone, email_recipients, next_due_at)
    select ${chains}, ${user}, repeat(chr(1), 100), repeat(chr(1), 200000), now(), 'UTC',
      (select jsonb_agg(rpad('a' || n, 240, 'a') || '@example.org') from generate_series(1, 20) n), now()
    from ${series(200)}`)
  await run(sql`insert into scheduled_occurrences (scheduled_run_id, due_at, state, reason)
    select id, now() - make_interval(secs => n), 'failed', repeat(chr(1), 500) from scheduled_runs, ${series(30)} n`)
  const execution =
    await run(sql`insert into executions (kind, user_id, prompt_id, chain_id, chain_name, api_token_id, status, user_input,
      variable_values, error, step_count, api_call)
    select case when n % 2 = 1 then 'chain' else 'prompt' end::execution_kind, ${user},
      case when n % 2 = 0 then ${prompts}::integer end, case when n % 2 = 1 then ${chains}::integer end,
      repeat(chr(1), 100), case when n % 2 = 1 then ${tokens}::integer end, 'failed', repeat(chr(1), 2000),
      jsonb_build_object('name', repeat(chr(1), 600)), repeat(chr(1), 1000), case when n = 1 then ${Math.min(200, rows)}::integer else 1 end,
      jsonb_build_object('path', '/v1/messages', 'ignored', (select jsonb_agg(repeat('i', 50)) from generate_series(1, 50)), 'depth', 1)
    from generate_series(1, ${2 * rows}::integer) n order by n returning id`)
  await run(sql`insert into execution_steps (execution_id, position, status, model, title, input_content, ai_response,
      system_prompt, template, error, output_variable_name)
    select id, n, 'completed', 'openai', repeat(chr(1), 200), repeat(chr(1), length), repeat(chr(1), length),
      repeat(chr(1), 2000), repeat(chr(1), 2000), repeat(chr(1), 200), rpad('o' || n, 50, 'o')
    from executions, generate_series(0, step_count - 1) n, lateral (
      select case when step_count > 1 then 20000 else 2000 end) texts (length)`)
  await run(sql`insert into execution_items (execution_id, position, index, attempt, item, is_json, resolved, input_content,
      ai_response, error)
    select ${execution}, 0, n - 1, 0, repeat(chr(1), 20000), false, '{}', repeat(chr(1), 20000), repeat(chr(1), 20000),
      repeat(chr(1), 2000)
    from ${series(200)} n`)
  const loop = { list: 'input', as: 'item', max: 200, atOnce: 1, onFailure: 'stop', result: 'text' }
  await run(sql`update execution_steps set settings = ${JSON.stringify({ forEach: loop })}
    where execution_id = ${execution} and position = 0`)
  return execution
}

async function fillSuites(
  { user, run, series }: Filling,
  { prompts, chains }: Made<'prompts' | 'chains'>,
): Promise<number> {
  await run(sql`insert into test_suites (chain_id, owner_id, name)
    select ${chains}, ${user}, repeat(chr(1), 200) from ${series(50)}`)
  const suite = await run(sql`insert into test_suites (prompt_id, owner_id, name)
    select ${prompts}, ${user}, repeat(chr(1), 200) from ${series(50)} returning id`)
  await run(sql`insert into test_cases (suite_id, owner_id, position, name, input, bytes)
    select ${suite}, ${user}, n, repeat(chr(1), 200), repeat(chr(1), 33000), 200000 from ${series(100)} n`)
  const targets = JSON.stringify(Array.from({ length: 12 }, () => ({ version: 99_999, model: 'claude' })))
  await run(sql`insert into evaluations
    (prompt_id, suite_id, suite_name, started_by, ceiling_nanos, estimate, cases, cases_hash, targets)
    select ${prompts}, ${suite}, repeat(chr(1), 200), ${user}, 1, '{}', '[]', '', ${targets}::jsonb
    from ${series(200)}`)
  return suite
}
