import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upgradeDatabaseKinds } from '../../testing/database.ts'
import type { EvaluationLab } from '../../testing/evaluations.ts'
import { startFullDatabase } from '../../testing/full-database.ts'
import { DELETED_KINDS, deleteAgain } from './delete-again.ts'
import { type DeletedRecord, readDeleted } from './deleted-records.ts'
import { listNoted } from './list-noted.ts'

const KINDS = Object.keys(DELETED_KINDS)
const PATIENCE_MS = 300_000
/** What a full database has none of. */
const MORE = `
  insert into webhooks (user_id, url, events, sealed_secret) values (1, 'https://example.org', '{}', '');
  insert into accounts (user_id, account_id, provider_id) values (1, 'linked', 'google');
  insert into run_shares (user_id, chain_id) select 1, min(id) from chains on conflict do nothing;
  insert into execution_ratings (execution_id, user_id, thumb) select min(id), 1, 'up' from executions
    on conflict do nothing;
  update executions set executed_at = now() where not isfinite(executed_at);
  -- A version that a label points to is deleted only with its record.
  delete from chain_labels;
  delete from prompt_labels;
  insert into tags (kind, name) values ('prompt', 'a')`

let lab: EvaluationLab
let work: string
beforeAll(async () => {
  work = mkdtempSync(path.join(tmpdir(), 'deleted-'))
  lab = await startFullDatabase(upgradeDatabaseKinds[0] ?? 'server')
  await lab.client.pool.query(MORE)
}, PATIENCE_MS)
afterAll(async () => {
  await lab?.close()
  rmSync(work, { recursive: true, force: true })
})

/** In a transaction that is taken back. */
async function inTrial<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await lab.client.pool.connect()
  try {
    await client.query('begin')
    return await use(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function countRows(client: pg.PoolClient): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const kind of KINDS) {
    const { rows } = await client.query(`select count(*)::integer as count from ${kind}`)
    counts[kind] = rows[0].count
  }
  return counts
}

/** Notes of every row of each kind, as a file gives them back. */
async function noteAll(): Promise<DeletedRecord[]> {
  const noted = await inTrial(async (client) => {
    await client.query('delete from deletions')
    for (const kind of KINDS) await client.query(`delete from ${kind}`)
    return listNoted(client)
  })
  writeFileSync(path.join(work, 'deleted.jsonl'), noted.map((each) => `${JSON.stringify(each)}\n`).join(''))
  return readDeleted(work)
}

const nothing = Object.fromEntries(KINDS.map((kind) => [kind, 0]))
const later = new Date('2100-01-01')
const earlier = new Date(0)

test(
  'whatever was deleted of each kind is noted, without its texts, and deleted again where a copy has it still',
  async () => {
    const records = await noteAll()
    const had = await inTrial(countRows)
    for (const kind of KINDS) {
      expect({ kind, noted: records.filter((each) => each.kind === kind).length }).toEqual({
        kind,
        noted: had[kind],
      })
      expect(had[kind]).toBeGreaterThan(0)
    }
    const columns = new Set(Object.values(DELETED_KINDS).flat())
    for (const { key } of records) for (const column of Object.keys(key)) expect(columns).toContain(column)
    const found = await inTrial(async (client) => {
      const before = await listNoted(client)
      const again = await deleteAgain({ client, records, takenAt: earlier })
      expect(await listNoted(client)).toEqual(before)
      return { ...again, left: await countRows(client) }
    })
    expect(found).toMatchObject({ kept: 0, left: nothing })
  },
  PATIENCE_MS,
)

test(
  'A restore or move deletes again what was deleted since, and counts it; never a later record with the same id, nor what something else needs.',
  async () => {
    const records = await noteAll()
    const had = await inTrial(countRows)
    const others = records.map((record) => ({
      ...record,
      key: Object.fromEntries(
        Object.entries(record.key).map(([name, value]) => [name, value instanceof Date ? later : value]),
      ),
    }))
    for (const takenAt of [undefined, later]) {
      expect(
        await inTrial(async (client) => {
          await deleteAgain({ client, records: others, takenAt })
          return countRows(client)
        }),
      ).toEqual(had)
    }
  },
  PATIENCE_MS,
)

test(
  'what something else still needs stays, with what needs it, and the others go',
  async () => {
    const categories = (await noteAll()).filter(({ kind }) => kind === 'categories')
    const found = await inTrial(async (client) => {
      await client.query(`insert into categories (name) values ('unused')`)
      const { rows } = await client.query(`select id, created_at from categories where name = 'unused'`)
      const unused = { kind: 'categories', key: rows[0], time: later }
      const again = await deleteAgain({ client, records: [...categories, unused], takenAt: earlier })
      const left = await client.query(`select name from categories where name = 'unused'`)
      const prompts = await client.query('select count(*)::integer as count from prompts')
      return { ...again, left: left.rows, prompts: prompts.rows[0].count }
    })
    expect(found.deleted).toBeGreaterThan(0)
    expect(found.kept).toBeGreaterThan(0)
    expect(found.left).toEqual([])
    expect(found.prompts).toBe((await inTrial(countRows)).prompts)
  },
  PATIENCE_MS,
)

test('the files are the lines of what was noted', async () => {
  const [line = ''] = readFileSync(path.join(work, 'deleted.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(line)).toEqual({
    kind: expect.any(String),
    key: expect.any(Object),
    time: expect.any(String),
  })
})
