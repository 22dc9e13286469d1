import { LIST_BYTES_MAX } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

/** What a person asks for by its id may be as large as it was written. */
const BY_ID = [
  '/api/admin/models/{id}/usage',
  '/api/executions/{id}/files/{fileId}',
  '/api/files/{id}',
  '/api/variables/{id}/file',
  '/api/prompts/{id}',
  '/api/prompts/by-slug/{slug}',
  '/api/public/v2/prompts/{name}',
  '/api/prompts/{id}/versions/{number}',
  '/api/prompts/{id}/executions/{executionId}',
  '/api/variables/{id}',
  '/api/variables/{idOrName}/content',
  '/api/variables/{id}/preview',
  '/api/proxy',
  '/api/chains/{id}/steps/{stepId}',
  '/api/chains/{id}/versions/{number}',
  '/api/executions/{id}/steps/{position}',
  '/api/executions/{id}/events',
  '/api/scheduled-runs/{id}',
  '/api/best-selections/{id}',
  '/api/test-suites/{id}',
  '/api/test-suites/{id}/cases/{caseId}',
  '/api/test-suites/{id}/export',
  '/api/evaluations/{id}',
  '/api/evaluations/{id}/cells/{case}/{target}',
]
/** Routes whose replies don't grow with what people write: settings, states, lists of another service. */
const FIXED = [
  '/api/models',
  '/api/admin/model-access',
  '/api/admin/providers',
  '/api/instance',
  '/api/user',
  '/api/account',
  '/api/examples',
  '/api/first-steps',
  '/api/mail',
  '/api/admin/debug-mode',
  '/api/admin/upgrade-notice',
  '/api/admin/models',
  '/api/admin/checks',
  '/api/admin/checks/{name}',
  '/api/admin/schedules',
  '/api/admin/retention',
  '/api/admin/protected-labels',
  '/api/admin/users/{id}/quotas',
  '/api/auth/google',
  '/api/auth/google/status',
  '/api/auth/google/callback',
  '/api/google-drive/files',
  '/api/google-drive/picker',
  '/api/prompts/{id}/labels',
  '/api/prompts/{id}/labels/{label}/dependants',
  '/api/chains/{id}/labels',
  '/api/chains/{id}/labels/{label}/dependants',
  '/api/prompts/{id}/dependants',
  '/api/chains/{id}/dependants',
  '/api/mail/confirm/{token}',
  '/api/mail/unsubscribe/{token}',
  '/api/tokens/{id}/value',
  '/api/prompts/{id}/aliases',
  '/api/executions/{id}/ratings',
  '/api/chains/{id}/run-share',
  '/api/prompts/{id}/run-share',
  '/api/prompts/{id}/labels/{label}/gate',
  '/api/chains/{id}/labels/{label}/gate',
  '/api/usage',
  '/api/usage/budget',
  '/api/usage/runs',
  '/api/usage/versions',
  '/api/evaluations/versions',
]

interface ListRow {
  url: string
  as?: 'owner' | 'admin'
  headers?: Record<string, string>
  /** What is listed; the reply itself unless it is said. */
  rows?: (body: never) => unknown[]
}

const all = (body: never) => body

describe.each(routeDatabaseKinds)('filled to all bounds, on %s', (kind) => {
  let library: Library
  const ids: Record<string, number> = {}
  let readToken: string
  beforeAll(async () => {
    library = await startLibrary(kind)
    await fill()
  }, 300_000)
  afterAll(() => library.close())

  const lists = (): Record<string, ListRow> => ({
    '/api/prompts': { url: '/api/prompts' },
    '/api/prompts/{id}/versions': { url: `/api/prompts/${ids.prompt}/versions` },
    '/api/prompts/{id}/label-moves': { url: `/api/prompts/${ids.prompt}/label-moves` },
    '/api/prompts/{id}/executions': { url: `/api/prompts/${ids.prompt}/executions` },
    '/api/executions': { url: `/api/executions?promptId=${ids.prompt}` },
    '/api/executions/{id}': { url: `/api/executions/${ids.run}`, rows: ({ steps }: { steps: [] }) => steps },
    '/api/executions/{id}/status': {
      url: `/api/executions/${ids.run}/status`,
      rows: ({ steps }: { steps: [] }) => steps,
    },
    '/api/categories': { url: '/api/categories' },
    '/api/tags': { url: '/api/tags' },
    '/api/tags/search': { url: `/api/tags/search?name=${ids.prompt}`, rows: (found) => [found] },
    '/api/variables/tags': { url: '/api/variables/tags' },
    '/api/variables/tags/search': { url: '/api/variables/tags/search?name=x', rows: (found) => [found] },
    '/api/chain-tags': { url: '/api/chain-tags' },
    '/api/chains/tags': { url: '/api/chains/tags' },
    '/api/chain-tags/search': { url: '/api/chain-tags/search?name=x', rows: (found) => [found] },
    '/api/variables': { url: '/api/variables' },
    '/api/variables/by-tags': { url: '/api/variables/by-tags' },
    '/api/variables/usage': { url: '/api/variables/usage' },
    '/api/variables/{id}/usage': {
      url: `/api/variables/${ids.variable}/usage`,
      rows: ({ prompts, chains }: { prompts: []; chains: [] }) => (chains.length > 0 ? prompts : []),
    },
    '/api/chains': { url: '/api/chains' },
    '/api/chains/by-tags': { url: '/api/chains/by-tags' },
    '/api/chains/{id}': { url: `/api/chains/${ids.chain}`, rows: ({ steps }: { steps: [] }) => steps },
    '/api/chains/by-slug/{slug}': {
      url: '/api/chains/by-slug/flow',
      rows: ({ steps }: { steps: [] }) => steps,
    },
    '/api/chains/{id}/versions': { url: `/api/chains/${ids.chain}/versions` },
    '/api/chains/{id}/label-moves': { url: `/api/chains/${ids.chain}/label-moves` },
    '/api/chains/{id}/shares': { url: `/api/chains/${ids.chain}/shares` },
    '/api/prompts/{id}/shares': { url: `/api/prompts/${ids.prompt}/shares` },
    '/api/chains/{id}/executions': { url: `/api/chains/${ids.chain}/executions` },
    '/api/chains/{id}/scheduled-runs': { url: `/api/chains/${ids.chain}/scheduled-runs` },
    '/api/latest-chain-runs': { url: '/api/latest-chain-runs' },
    '/api/scheduled-chains': { url: '/api/scheduled-chains' },
    '/api/prompts/{id}/test-suites': { url: `/api/prompts/${ids.prompt}/test-suites` },
    '/api/chains/{id}/test-suites': { url: `/api/chains/${ids.chain}/test-suites` },
    '/api/test-suites/{id}/cases': { url: `/api/test-suites/${ids.suite}/cases` },
    '/api/evaluations': { url: `/api/evaluations?promptId=${ids.prompt}&limit=100` },
    '/api/tokens': { url: `/api/tokens?chainId=${ids.chain}` },
    '/api/tokens/{id}/executions': { url: `/api/tokens/${ids.token}/executions` },
    '/api/best-tokens': { url: '/api/best-tokens' },
    '/api/read-tokens': { url: '/api/read-tokens' },
    '/api/public/v2/prompts': {
      url: '/api/public/v2/prompts?limit=100',
      headers: { authorization: `Bearer ${readToken}` },
      rows: ({ data }: { data: [] }) => data,
    },
    '/api/chain-offers': { url: '/api/chain-offers', as: 'admin' },
    '/api/best-selections': { url: '/api/best-selections?limit=100' },
    '/api/users/search': { url: '/api/users/search?name=filler' },
    '/api/account/sessions': { url: '/api/account/sessions' },
    '/api/admin/labels/{kind}': { url: '/api/admin/labels/category', as: 'admin' },
    '/api/admin/users': { url: '/api/admin/users', as: 'admin' },
  })

  /** Texts of the character that takes most in JSON, six bytes, where a text may have any. */
  async function fill() {
    const { owner, db, categoryId } = library
    const user = owner.user.id
    const run = async (query: ReturnType<typeof sql>): Promise<number> => {
      const { rows } = await db.execute<{ id: number }>(query)
      return rows[0]?.id ?? 0
    }
    await run(
      sql`insert into categories (name) select n || repeat(chr(1), 45) from generate_series(1, 1100) n`,
    )
    await run(sql`insert into tags (kind, name, created_by) select kind::tag_kind, n || repeat(chr(1), 45), ${user}
      from unnest(array['prompt', 'variable', 'chain']) kind, generate_series(1, 1100) n`)
    ids.prompt = await run(sql`insert into prompts (owner_id, category_id, title, content, is_public)
      select ${user}, ${categoryId}, repeat(chr(1), 200), '$<seen>' || repeat(chr(1), 2000), true
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
    await run(sql`insert into users (name, email, username, display_username)
      select 'filler' || n, rpad('f' || n, 200, 'f') || '@example.org', rpad('filler' || n, 30, 'f'), rpad('Filler' || n, 30, 'F')
      from generate_series(1, 1100) n`)
    await run(sql`insert into chain_shares (chain_id, user_id, role)
      select ${ids.chain}, id, 'editor' from users where name like 'filler%' limit 200`)
    await run(sql`insert into prompt_shares (prompt_id, user_id, role)
      select ${ids.prompt}, id, 'editor' from users where name like 'filler%' limit 200`)
    await run(sql`insert into sessions (user_id, token, expires_at, ip_address, user_agent)
      select ${user}, 'filler' || n, now() + interval '1 day', '2001:db8::1', repeat(chr(1), 2000) from generate_series(1, 1100) n`)
    ids.token = await run(sql`insert into api_tokens (kind, created_by, chain_id, name, prefix, sha256)
      select 'chain', ${user}, ${ids.chain}, repeat(chr(1), 100), 'ctc_1234', 'chain' || n from generate_series(1, 1100) n
      returning id`)
    const best = await run(sql`insert into api_tokens (kind, created_by, name, prefix, sha256)
      select 'best', ${user}, repeat(chr(1), 100), 'ctb_1234', 'best' || n from generate_series(1, 30) n returning id`)
    await run(sql`insert into api_token_chains (api_token_id, chain_id)
      select api_tokens.id, chains.id from api_tokens, (select id from chains order by id limit 1000) chains where kind = 'best'`)
    const { rows: read } = await db.execute<{ id: number }>(
      sql`select id from prompts order by updated_at desc, id desc limit 100`,
    )
    const promptIds = read.map(({ id }) => id)
    const made = await library.request({
      ...{ method: 'POST', url: '/api/read-tokens', as: owner, body: { name: 'Read', promptIds } },
    })
    readToken = (made.body as { token: string }).token
    await run(sql`insert into api_tokens (kind, created_by, name, prefix, sha256)
      select 'read', ${user}, repeat(chr(1), 100), 'ctr_1234', 'read' || n from generate_series(1, 30) n`)
    await run(sql`insert into api_token_prompts (api_token_id, prompt_id)
      select api_tokens.id, prompts.id from api_tokens, (select id from prompts order by id limit 1000) prompts
      where kind = 'read' and prefix = 'ctr_1234'`)
    await run(sql`insert into best_chain_selections (user_id, token_name, api_token_id, request, chain_id, chain_name, way, reasoning, scores)
      select ${user}, repeat(chr(1), 100), ${best}, repeat(chr(1), 2000), ${ids.chain}, repeat(chr(1), 100), 'judge', repeat(chr(1), 1000), scores
      from generate_series(1, 120), (
        select jsonb_agg(jsonb_build_object('chainId', n, 'chainName', repeat(chr(1), 100), 'score', 0.5, 'shown', true)) scores
        from generate_series(1, 1000) n) made`)
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
    await run(sql`insert into execution_steps (execution_id, position, status, model, title, input_content, ai_response,
        system_prompt, template, error, output_variable_name)
      select id, n, 'completed', 'openai', repeat(chr(1), 200), repeat(chr(1), 20000), repeat(chr(1), 20000),
        repeat(chr(1), 2000), repeat(chr(1), 2000), repeat(chr(1), 200), rpad('o' || n, 50, 'o')
      from executions, generate_series(0, step_count - 1) n`)
  }

  test('each route that reads is listed here, as a list or as none', () => {
    const { paths = {} } = library.http.swagger()
    const reading = Object.entries(paths).flatMap(([path, { get } = {}]) => (get === undefined ? [] : [path]))
    expect([...Object.keys(lists()), ...BY_ID, ...FIXED].sort()).toEqual(reading.sort())
  })

  test('no list is over 2 MB, whatever is in it, and each has something', async () => {
    const tooLarge: string[] = []
    for (const [path, { url, as = 'owner', headers = {}, rows = all }] of Object.entries(lists())) {
      const reply = await library.request({ url, as: library[as], headers })
      expect(reply.status, `${path}: ${reply.text.slice(0, 300)}`).toBe(200)
      const bytes = Buffer.byteLength(reply.text)
      expect(rows(reply.body as never).length, path).toBeGreaterThan(0)
      if (bytes > LIST_BYTES_MAX) tooLarge.push(`${path}: ${bytes}`)
    }
    expect(tooLarge).toEqual([])
  })

  test('what such a list leaves out is there by the id of its row', async () => {
    const read = async (url: string) => (await library.request({ url, as: library.owner })).body
    const [schedule] = (await read(`/api/chains/${ids.chain}/scheduled-runs`)) as {
      id: number
      input: string
    }[]
    expect(schedule).toMatchObject({ inputClipped: true, inputLength: 200_000 })
    expect(await read(`/api/scheduled-runs/${schedule?.id}`)).toMatchObject({
      input: '\u0001'.repeat(200_000),
    })
    const refused = await library.request({
      ...{ method: 'PATCH', url: `/api/scheduled-runs/${schedule?.id}`, as: library.owner },
      body: { input: schedule?.input, name: 'x' },
    })
    expect(refused.status).toBe(409)
    const [selection] = (await read('/api/best-selections')) as { id: number; scores: [] }[]
    expect(selection).toMatchObject({ scoresCount: 1000 })
    expect(selection?.scores).toHaveLength(10)
    const whole = (await read(`/api/best-selections/${selection?.id}`)) as { scores: [] }
    expect(whole.scores).toHaveLength(1000)
    const others = await library.request({ url: `/api/best-selections/${selection?.id}`, as: library.admin })
    expect(others.status).toBe(404)
  })

  test('the models of a token that reaches every chain are a list, too', async () => {
    const created = await library.request({
      ...{ method: 'POST', url: '/api/best-tokens', as: library.owner, body: { name: 'All' } },
    })
    const authorization = `Bearer ${(created.body as { token: string }).token}`
    const { status, text, body } = await library.request({ url: '/v1/models', headers: { authorization } })
    expect([status, (body as { data: [] }).data.length]).toEqual([200, 3300])
    expect(Buffer.byteLength(text)).toBeLessThan(LIST_BYTES_MAX)
  })
})
