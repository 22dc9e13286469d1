import { getTableName } from 'drizzle-orm'
import { expect } from 'vitest'
import type { DatabaseClient } from '../database/open/client.ts'
import { TABLES, type TableName } from '../database/schema/table-records.ts'
import { linkActivity } from '../features/activity/activity.ts'
import { type EvaluationLab, on, prices, startEvaluationLab } from './evaluations.ts'
import { mediaOf } from './media.ts'
import { makePdf, makePng } from './pictures.ts'

/** What texts may hold that some format or other takes for its own. */
const HOSTILE_TEXT = 'a\\b "c" \'d\' \t e\r\nf \u2028\u2029 \\N \\. {1,2} NULL 😀 \u0001 é é'
/** Such a text as people type. */
const QUOTED_TEXT = 'Say "é" \\ {x} \'y\' 😀'

const IMPORT = {
  dryRun: false,
  files: [{ name: 'a.json', text: JSON.stringify({ id: 'pmpt_full', instructions: 'Do it', tools: ['a'] }) }],
}

/** An app on a database that has some of everything: records, runs, files, an evaluation, and values that are hard to copy. */
export async function startFullDatabase(
  kind: DatabaseClient['kind'],
  deps: Parameters<typeof startEvaluationLab>[3] = {},
): Promise<EvaluationLab> {
  const lab = await startEvaluationLab(kind, { prices, hasCustom: true }, {}, deps)
  const { owner, send } = lab
  await send('POST', '/api/examples', { status: 200 })
  await send('POST', '/api/import', { status: 200, body: IMPORT })
  await fillRecords(lab)
  const { prompt, suite } = await lab.prepare(['one', 'two'])
  const { id } = await lab.evaluate({ suiteId: suite.id, targets: [on(1), on(2)] })
  await lab.settled(id)
  const gone = await lab.createPrompt(owner)
  await lab.request({ method: 'DELETE', url: `/api/prompts/${gone.id}`, as: owner })
  await addOldRows(lab)
  await addHardValues(lab, prompt.id)
  await linkActivity(lab.ctx)
  const empty = (await listEmptyTables(lab)).filter((name) => !EMPTY.includes(name))
  expect(empty, 'testing/full-database.ts makes rows of each table').toEqual([])
  return lab
}

/** Of the moment: no copy has it. What the version before writes of its events, a trigger brings into the activity. */
const EMPTY: readonly TableName[] = ['auditEvents', 'rateWindows']

async function listEmptyTables({ client }: EvaluationLab): Promise<TableName[]> {
  const names = Object.keys(TABLES) as TableName[]
  const looks = names.map((name) => {
    const table = getTableName(TABLES[name])
    return `select '${name}' as name where not exists (select from ${table})`
  })
  const { rows } = await client.pool.query<{ name: TableName }>(looks.join(' union all '))
  return rows.map(({ name }) => name)
}

async function fillRecords(lab: EvaluationLab): Promise<void> {
  const { owner, other, createVariable, request } = lab
  await createVariable(owner, {
    ...{ name: 'weather', type: 'api', content: '', apiUrl: 'https://api.example.org/now' },
    apiHeaders: { authorization: 'Bearer secret' },
  })
  const tagIds = async (url: string) => [(await lab.createTag(owner, QUOTED_TEXT, url)).id]
  const prompt = await lab.createPrompt(owner, { tagIds: await tagIds('/api/tags') })
  const quoted = { name: 'quoted', content: QUOTED_TEXT, tagIds: await tagIds('/api/variables/tags') }
  await createVariable(owner, quoted)
  const media = mediaOf(lab)
  await media.hold('screenshot', makePng())
  await media.store(makePdf(), 'report.pdf')
  const chain = await lab.buildChain([{ content: 'Write {{input}}' }, { content: 'Shorten {{a}}' }], {
    name: QUOTED_TEXT,
    sharedLevel: 'shared',
    tagIds: await tagIds('/api/chain-tags'),
  })
  await request({
    ...{ method: 'PUT', url: `/api/chains/${chain.id}/shares`, as: owner },
    body: [{ username: other.user.username, role: 'editor' }],
  })
  const run = await lab.execute(chain.id, { input: QUOTED_TEXT })
  await lab.ended(run)
  const sent: { method: 'POST' | 'PUT'; url: string; body: object }[] = [
    { method: 'POST', url: '/api/tokens', body: { name: 'Production', chainId: chain.id } },
    {
      method: 'POST',
      url: `/api/chains/${chain.id}/schedule`,
      body: { scheduledTime: new Date(Date.now() + 3_600_000).toISOString(), timeZone: 'UTC' },
    },
    {
      method: 'POST',
      url: '/api/webhooks',
      body: { url: 'https://hooks.example.org/', events: ['run.failed'] },
    },
    {
      method: 'PUT',
      url: `/api/prompts/${prompt.id}/shares`,
      body: [{ username: other.user.username, role: 'editor' }],
    },
    { method: 'PUT', url: `/api/prompts/${prompt.id}/skill`, body: { description: QUOTED_TEXT, parts: [] } },
    { method: 'POST', url: '/api/views', body: { name: QUOTED_TEXT, page: 'prompts', query: 'sort=title' } },
    ...[`/api/prompts/${prompt.id}`, `/api/chains/${chain.id}`].map((record) => ({
      ...{ method: 'PUT' as const, url: `${record}/labels/staging` },
      body: { version: 1, expectedVersion: null, reason: QUOTED_TEXT },
    })),
    { method: 'PUT', url: `/api/executions/${run}/rating`, body: { thumb: 'up', note: QUOTED_TEXT } },
  ]
  for (const wanted of sent) {
    const reply = await request({ ...wanted, as: owner })
    expect(reply.status, `${wanted.url} ${reply.text}`).toBeLessThan(300)
  }
}

/** What months of work leave behind: uses, selections, mails, deliveries, sums. Nothing of it is to be done yet. */
async function addOldRows({ client: { pool }, owner }: EvaluationLab): Promise<void> {
  const values: Record<string, string> = {
    user: String(owner.user.id),
    text: `$$${QUOTED_TEXT}$$`,
    ...Object.fromEntries(
      ['prompts', 'chains', 'chain_steps', 'variables', 'webhooks', 'imports', 'models', 'test_suites'].map(
        (table) => [table, `(select min(id) from ${table})`],
      ),
    ),
    token: '(select min(id) from api_tokens)',
    group: '(select max(id) from groups)',
    schedule: '(select min(id) from scheduled_runs)',
  }
  for (const row of OLD_ROWS)
    await pool.query(`insert into ${row.replace(/:([a-z_]+)/g, (_, name) => `${values[name]}`)}`)
}

const OLD_ROWS = [
  `allowed_calls (step_id, call, allowed_at) values (:chain_steps, '{"tool": {"b" : 1}, "forEach": null}', now())`,
  `api_token_calls (api_token_id, key, fingerprint, execution_id, chain_id) values (:token, 'k', 'f', 1, :chains)`,
  'api_token_chains (api_token_id, chain_id) values (:token, :chains)',
  'api_token_prompts (api_token_id, prompt_id) values (:token, :prompts)',
  `api_token_uses (api_token_id, month, calls, cost_nanos, last_used, last_error)
    values (:token, '2026-01', 3, 9007199254740993, now(), :text)`,
  `backups (name, taken_at, reason, state, bytes, program, rows)
    values ('a.catenary', now(), 'nightly', 'gone', 9007199254740993, '0.1.0', 5)`,
  `best_chain_selections (user_id, token_name, request, chain_id, chain_name, way, reasoning, scores)
    values (:user, :text, :text, :chains, :text, 'judge', :text, '[{"score": 0.5}]')`,
  'chain_acceptances (user_id, chain_id) values (:user, :chains)',
  'prompt_acceptances (user_id, prompt_id) values (:user, :prompts)',
  `groups (name, name_key, made_by, quotas) values (:text, 'quoted', :user, '{"chains": 5000}')`,
  'group_members (group_id, user_id, is_leader) values (:group, :user, true)',
  'group_model_lists (group_id, model_ids) values (:group, array[:models])',
  `chain_group_shares (chain_id, group_id, role) values (:chains, :group, 'viewer')`,
  `prompt_group_shares (prompt_id, group_id, role) values (:prompts, :group, 'editor')`,
  `asks (execution_id, attempt, position, title, user_id, chain_id, question, text, editable, people, groups, asked,
    not_the_runner, choices, on_deadline, deadline, input, status, decision)
    values ((select min(id) from executions), 1, 0, :text, :user, :chains, :text, :text, true, array[:user], array[]::integer[],
    '{"people": ["x"], "groups": []}', false, '[{"id": "a", "label": "A"}]', 'a', now(),
    '{"outputName": "a", "segments": [], "resolved": {}}', 'answered', 'a')`,
  `run_sends (user_id, chain_id, destinations) values (:user, :chains, array['ask: x#1'])`,
  `hand_overs (prompt_id, owner_id, user_id, keep) values (:prompts, :user, :user, 'editor')`,
  `idempotency_keys (actor, key, fingerprint, locked_until) values ('user::user', 'k', 'f', now())`,
  `imported_chains (import_id, chain_id, made, revision, version) values (:imports, :chains, 'new', 1, 1)`,
  `imported_suites (import_id, suite_id, made, revision, before)
    values (:imports, :test_suites, 'version', 1, '{"name": "x"}')`,
  `mails (user_id, key, letter) values (:user, 'old', '{"subject": "x"}')`,
  `mail_recipients (mail_id, address, status, queued_at)
    select id, 'é@example.org', 'sent', now() from mails where key = 'old'`,
  `mail_consents (user_id, address, state) values (:user, 'é@example.org', 'confirmed')`,
  `mail_questions (user_id, address, mailbox, is_own, asked_at) values (:user, 'a+b@c.de', 'a@c.de', false, now())`,
  'model_lists (user_id, model_ids) values (:user, array[:models])',
  'model_prices (model_id, input) values (:models, 0.1)',
  `hook_deliveries (api_token_id, delivery_id, known_as, address, status, reason, execution_id, repeats)
    values (:token, :text, :text, '203.0.113.7', 202, :text, 7, 2)`,
  `prompt_fetches (user_id, token_name, prompt_id, kind, version, label, client, count, first_at, last_at)
    values (:user, :text, :prompts, 'prompt', 1, 'production', :text, 2, now(), now())`,
  `protected_labels (label, who_may_move, needs_suite) values ('guarded', 'admins', true)`,
  `protected_label_groups (label, group_id) values ('guarded', :group)`,
  `run_shares (user_id, chain_id, names) values (:user, :chains, array['client', :text])`,
  `scheduled_occurrences (scheduled_run_id, due_at, state) values (:schedule, '2026-01-01', 'missed')`,
  `usage_items (user_id, grain, at, dimension, key, runs, uncounted)
    values (:user, 'day', '2026-01-01', 'model', :text, 1, 0)`,
  `usage_slots (user_id, at, completed, failed, cancelled, uncounted) values (:user, '2026-01-01', 1, 0, 0, 0)`,
  `usage_times (user_id, at, measure, bucket, runs) values (:user, '2026-01-01', 'whole', 4, 1)`,
  `step_secrets (step_id, part, origin, method, sealed, set_by, set_at)
    values (:chain_steps, 'header:x', 'https://a.example.org', 'POST', 'v2.0.x', :user, now())`,
  'variable_fetches (variable_id, revision, content, fetched_at) values (:variables, 1, :text, now())',
  `verifications (identifier, value, expires_at) values ('reset', :text, now())`,
  `webhook_deliveries (webhook_id, key, object, message_id, type, data, state, created_at, ended_at)
    values (:webhooks, 'k', 'run:1', 'm', 'run.failed', '{}', 'delivered', now(), now())`,
]

/** Of every value; as many as a file may have, and more than a part of a copy holds. */
const LARGE_FILE = Buffer.alloc(10_485_760, Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)))

async function addHardValues({ client, owner }: EvaluationLab, promptId: number): Promise<void> {
  const { pool } = client
  const userId = owner.user.id
  await pool.query('insert into settings (key, value) values ($1, $2), ($3, $4), ($5, $6)', [
    ...['json null', 'null'],
    ...['json text', JSON.stringify(HOSTILE_TEXT)],
    ...['json number', '12345678901234567890.123456789012345678901234567890'],
  ])
  await pool.query(
    `insert into variables (owner_id, name, type, allowed_values) values ($1, 'limited', 'text', $2)`,
    [userId, ['', 'NULL', 'null', HOSTILE_TEXT, '{}', ',', '"']],
  )
  await pool.query(
    `insert into executions (kind, trigger, user_id, prompt_id, status, user_input, plan, executed_at, finished_at, step_count)
     values ('prompt', 'manual', $1, $2, 'completed', $3, '{"b" : 1,  "a":[null]}', '-infinity', 'infinity', 1)`,
    [userId, promptId, HOSTILE_TEXT],
  )
  await pool.query(
    `insert into execution_steps (execution_id, position, attempt, status, title, model, cost_nanos, saved_nanos, started_at)
     select max(id), 0, 0, 'completed', '', 'm', 9007199254740993, -9223372036854775808, '0044-03-15 BC' from executions`,
  )
  await pool.query(
    `insert into execution_items (execution_id, position, index, attempt, item, is_json, resolved, cost_nanos, saved_nanos)
     select max(id), 0, 0, 0, $1, true, '{"b" : 1}', 9007199254740993, -9223372036854775808 from executions`,
    [HOSTILE_TEXT],
  )
  await pool.query(
    `with file as (insert into files (owner_id, key, media_type, file_name, bytes, sha256)
       values ($1, 'uploads/large', 'image/png', 'large.png', length($2::bytea), 'x') returning id)
     insert into file_bytes select id, $2 from file`,
    [userId, LARGE_FILE],
  )
  await pool.query(`update best_chain_selections set confidence = 'NaN'`)
  // A gap at the end of a sequence.
  await pool.query(`insert into categories (name) values ('gone')`)
  await pool.query(`delete from categories where name = 'gone'`)
}

/** From then on a copy of it takes a moment. */
export async function removeLargeFile({ client }: EvaluationLab): Promise<void> {
  await client.pool.query(`delete from files where key = 'uploads/large'`)
}
