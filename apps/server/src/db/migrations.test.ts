import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databaseKinds, openTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'

const OWN = fileURLToPath(new URL('./migrations', import.meta.url))

describe.each(databaseKinds)('data of an older version on %s', (kind) => {
  let database: TestDatabase
  let migrationsFolder: string

  /** The database as the first migrations left it. */
  async function openOlder(count: number): Promise<void> {
    const journalFile = path.join(migrationsFolder, 'meta', '_journal.json')
    const journal = JSON.parse(readFileSync(journalFile, 'utf8'))
    writeFileSync(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }))
    await database.client.pool.query(
      'drop schema public cascade; drop schema drizzle cascade; create schema public',
    )
    await migrate({ database: database.client, migrationsFolder })
  }

  beforeEach(async () => {
    database = await openTestDatabase(kind)
    migrationsFolder = mkdtempSync(path.join(tmpdir(), 'catenary-migrations-'))
    cpSync(OWN, migrationsFolder, { recursive: true })
  })
  afterEach(async () => {
    await database.close()
    rmSync(migrationsFolder, { recursive: true })
  })

  test('a run whose steps were all rows has its plan, the steps that ended, and the deaths of its workers', async () => {
    await openOlder(4)
    const { pool } = database.client
    await pool.query(`
      insert into users (name, email, username, display_username) values ('o', 'o@example.org', 'o', 'O');
      insert into chains (owner_id, name) values (1, 'Letters');
      insert into executions (kind, user_id, chain_id, status, attempt, snapshot) values ('chain', 1, 1, 'running', 3,
        '{"name": "Then", "revision": 1, "steps": [{"id": 7, "temperature": 0.5, "maxTokens": null}, {"id": 8}, {"id": 9}]}');
      insert into executions (kind, user_id, status) values ('prompt', 1, 'completed');
      insert into execution_steps (execution_id, position, attempt, status, title, model, template, system_prompt,
        output_variable_name, ai_response, lost_workers) values
        (1, 0, 3, 'completed', 'First', 'openai', 'one', '', 'a', 'A', 1),
        (1, 1, 3, 'waiting', 'Second', 'claude', 'two {{a}}', 'Be brief', 'b', null, 2),
        (1, 2, 3, 'waiting', 'Third', 'gemini', 'three', '', 'c', null, 0),
        (2, 0, 0, 'completed', 'Prompt', 'openai', 'edited', '', null, 'Hello', 0)`)
    await migrate({ database: database.client })

    const { rows: runs } = await pool.query(
      'select chain_name, step_count, lost_at, lost_workers, plan from executions order by id',
    )
    const noLinks = { promptId: null, promptVersion: null }
    expect(runs).toEqual([
      {
        ...{ chain_name: 'Then', step_count: 3, lost_at: 1, lost_workers: 2 },
        plan: [
          {
            ...{ id: 7, position: 0, title: 'First', model: 'openai', ...noLinks, template: 'one' },
            ...{ systemPrompt: '', outputVariableName: 'a', temperature: 0.5, maxTokens: null },
          },
          {
            ...{ id: 8, position: 1, title: 'Second', model: 'claude', ...noLinks, template: 'two {{a}}' },
            ...{ systemPrompt: 'Be brief', outputVariableName: 'b', temperature: null, maxTokens: null },
          },
          {
            ...{ id: 9, position: 2, title: 'Third', model: 'gemini', ...noLinks, template: 'three' },
            ...{ systemPrompt: '', outputVariableName: 'c', temperature: null, maxTokens: null },
          },
        ],
      },
      { chain_name: null, step_count: 1, lost_at: null, lost_workers: 0, plan: null },
    ])
    const { rows: steps } = await pool.query(
      'select execution_id, position, attempt, status, template, ai_response from execution_steps order by execution_id',
    )
    expect(steps).toEqual([
      { execution_id: 1, position: 0, attempt: 3, status: 'completed', template: null, ai_response: 'A' },
      {
        execution_id: 2,
        position: 0,
        attempt: 0,
        status: 'completed',
        template: 'edited',
        ai_response: 'Hello',
      },
    ])
  })
})
