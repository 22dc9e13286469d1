import { getTableName } from 'drizzle-orm'
import { expect } from 'vitest'
import type { DatabaseClient } from '../database/open/client.ts'
import { TABLES, type TableName } from '../database/schema/table-records.ts'
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
  await addHardValues(lab, prompt.id)
  const empty = (await listEmptyTables(lab)).filter((name) => !EMPTY.includes(name))
  expect(empty, 'testing/full-database.ts makes rows of each table').toEqual([])
  return lab
}

/** What has no rows there yet. No new table stands here: its rows are made above. */
const EMPTY: readonly TableName[] = [
  'apiTokenCalls',
  'apiTokenChains',
  'apiTokenPrompts',
  'apiTokenUses',
  'backups',
  'bestChainSelections',
  'chainAcceptances',
  'chainLabels',
  'idempotencyKeys',
  'importedChains',
  'importedSuites',
  'labelMoves',
  'mailConsents',
  'mailQuestions',
  'mailRecipients',
  'mails',
  'modelLists',
  'modelPrices',
  'promptAcceptances',
  'promptFetches',
  'promptLabels',
  'protectedLabels',
  'rateWindows',
  'runShares',
  'scheduledOccurrences',
  'usageItems',
  'usageSlots',
  'usageTimes',
  'variableFetches',
  'verifications',
  'webhookDeliveries',
]

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
    { method: 'PUT', url: `/api/executions/${run}/rating`, body: { thumb: 'up', note: QUOTED_TEXT } },
  ]
  for (const wanted of sent) {
    const reply = await request({ ...wanted, as: owner })
    expect(reply.status, `${wanted.url} ${reply.text}`).toBeLessThan(300)
  }
}

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
