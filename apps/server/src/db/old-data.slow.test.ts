import { describe, expect, it } from 'vitest'
import { upgradeDatabaseKinds } from '../testing/database.ts'
import { useMigrations } from '../testing/migrations.ts'
import { migrate } from './migrate.ts'

describe.each(upgradeDatabaseKinds)('a run whose steps were all rows, on %s', (kind) => {
  const { client, startFrom } = useMigrations(kind)

  it('has its plan, the steps that ended, and the deaths of its workers', async () => {
    await startFrom(4)
    const { pool } = client()
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
    await migrate({ database: client() })

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
      'select execution_id, position, attempt, status, model, template, ai_response from execution_steps order by execution_id',
    )
    expect(steps.map(Object.values)).toEqual([
      [1, 0, 3, 'completed', 'openai', null, 'A'],
      [2, 0, 0, 'completed', 'openai', 'edited', 'Hello'],
    ])
  })
})

describe.each(upgradeDatabaseKinds)('the old queue on %s', (kind) => {
  const { client, startFrom } = useMigrations(kind)

  it.each([
    { queues: ['__pgboss__send-it', 'upkeep', 'probe'], whose: 'our own', left: false },
    { queues: ['upkeep', 'invoices'], whose: 'another program’s', left: true },
  ])('that is $whose is left: $left', async ({ queues, left }) => {
    await startFrom(5)
    const { pool } = client()
    await pool.query('create schema pgboss; create table pgboss.queue (name text)')
    await pool.query('insert into pgboss.queue select unnest($1::text[])', [queues])
    await migrate({ database: client() })
    const { rows } = await pool.query(`select to_regclass('pgboss.queue') is not null as left`)
    expect(rows).toEqual([{ left }])
  })
})

describe.each(upgradeDatabaseKinds)(
  'addresses of accounts from before they were confirmed, on %s',
  (kind) => {
    const { client, startFrom } = useMigrations(kind)

    it('count where they are administrators’, and wait for the first start elsewhere', async () => {
      await startFrom(32)
      const { pool } = client()
      await pool.query(`insert into users (name, email, username, display_username, role) values
      ('a', 'Adam@example.org', 'a', 'A', 'admin'), ('o', 'Olga@example.org', 'o', 'O', 'user')`)
      await migrate({ database: client() })
      const { rows } = await pool.query('select user_id, address, state from mail_consents order by user_id')
      expect(rows).toEqual([
        { user_id: 1, address: 'adam@example.org', state: 'confirmed' },
        { user_id: 2, address: 'olga@example.org', state: 'unasked' },
      ])
    })
  },
)

describe.each(upgradeDatabaseKinds)('what people kept before it was counted, on %s', (kind) => {
  const { client, startFrom } = useMigrations(kind)

  it('is counted as each has it', async () => {
    await startFrom(14)
    const { pool } = client()
    await pool.query(`
      insert into users (name, email, username, display_username) values
        ('o', 'o@example.org', 'o', 'O'), ('p', 'p@example.org', 'p', 'P');
      insert into categories (name, created_by) values ('one', null), ('two', 2);
      insert into prompts (owner_id, category_id, title, content) values (1, 1, 'é', 'abc'), (1, 1, 'b', 'c');
      insert into prompt_versions (prompt_id, number, title, content) values (1, 1, 'a', 'b');
      insert into chains (owner_id, name) values (1, 'n');
      insert into chain_steps (chain_id, position, content, system_prompt, model, output_variable_name) values
        (1, 0, 'cc', 'sss', 'openai', 'x'), (1, 1, 'cc', null, 'openai', 'y');
      insert into files (owner_id, key, content) values (1, 'k', 'éé')`)
    await migrate({ database: client() })
    const { rows } = await pool.query(
      'select text, prompts, versions, chains, steps, files, uploads, categories from usages order by user_id',
    )
    expect(rows.map((row) => Object.values(row).map(Number))).toEqual([
      [25, 2, 2, 1, 2, 1, 4, 0],
      [3, 0, 0, 0, 0, 0, 0, 1],
    ])
  })
})

describe.each(upgradeDatabaseKinds)('what had no slugs and versions on %s', (kind) => {
  const { client, startFrom } = useMigrations(kind)

  it('has slugs of its names, apart from each other, and each chain its first version', async () => {
    await startFrom(21)
    const { pool } = client()
    await pool.query(`
      insert into users (name, email, username, display_username) values ('o', 'o@example.org', 'o', 'O');
      insert into categories (name) values ('one');
      insert into prompts (owner_id, category_id, title, content)
        select 1, 1, title, 'c' from unnest(array['Été 7', 'été 7', 'Été 7 2', '42', '手', 'Claude']) as title;
      insert into chains (owner_id, name) values (1, 'Chain'), (1, 'Letters'), (1, 'letters');
      insert into chain_steps (chain_id, position, content, model, output_variable_name, temperature) values
        (2, 1, 'last', 'openai', 'b', null), (2, 0, 'first', 'claude', 'a', 0.5)`)
    await migrate({ database: client() })
    const read = async (query: string) => (await pool.query({ text: query, rowMode: 'array' })).rows
    expect(await read('select slug from prompts order by id')).toEqual([
      ['ete-7'],
      ['ete-7-2'],
      ['ete-7-2-3'],
      ['the-42'],
      ['prompt'],
      ['the-claude'],
    ])
    expect(await read('select slug, prompt_id from prompt_slugs order by prompt_id')).toHaveLength(6)
    expect(await read('select slug, version from chains order by id')).toEqual([
      ['the-chain', 1],
      ['letters', 1],
      ['letters-3', 1],
    ])
    expect(await read('select step_count, steps from chain_versions order by chain_id')).toMatchObject([
      [0, []],
      [
        2,
        [
          { content: 'first', temperature: 0.5, fallbackModel: null, outputVariableName: 'a' },
          { content: 'last', temperature: null },
        ],
      ],
      [0, []],
    ])
  })
})

describe.each(upgradeDatabaseKinds)('tokens for all chains that anyone could add to, on %s', (kind) => {
  const { client, startFrom } = useMigrations(kind)

  it('keep others’ chains that they ran, and tell which fell out; choices keep whose they are', async () => {
    await startFrom(30)
    const { pool } = client()
    await pool.query(`
      insert into users (name, email, username, display_username) values
        ('o', 'o@example.org', 'o', 'O'), ('p', 'p@example.org', 'p', 'P');
      insert into chains (owner_id, name, slug, shared_level) values
        (1, 'own', 'own', 'private'), (2, 'ran', 'ran', 'public'), (2, 'chosen', 'chosen', 'shared'),
        (2, 'never', 'never', 'public'), (2, 'named', 'named', 'shared'), (2, 'hidden', 'hidden', 'private'),
        (2, 'empty', 'empty', 'public'), (2, 'by hand', 'by-hand', 'public');
      insert into chain_shares (chain_id, user_id, role) values (3, 1, 'viewer'), (5, 1, 'editor');
      insert into chain_steps (chain_id, position, content, model, output_variable_name)
        select id, 0, 'c', 'openai', 'a' from chains where name <> 'empty';
      insert into api_tokens (kind, created_by, name, prefix, sha256, includes_all_chains) values
        ('best', 1, 'all', 'ctb_1', 'a', true), ('best', 1, 'some', 'ctb_2', 'b', false),
        ('best', 2, 'theirs', 'ctb_3', 'c', true);
      insert into executions (kind, user_id, chain_id, chain_name, api_token_id, status, user_input, variable_values, step_count)
        select 'chain', 1, chain_id, 'n', token_id, 'completed', '', '{}', 1
        from (values (2, 1), (6, 1), (1, 1), (4, 2), (8, null)) as ran (chain_id, token_id);
      insert into best_chain_selections (api_token_id, request, chain_id, chain_name, way, reasoning, scores, execution_id)
        values (1, 'r', 3, 'chosen', 'judge', '', '[]', 99), (1, 'r', 4, 'never', 'judge', '', '[]', null)`)
    await migrate({ database: client() })
    const read = async (query: string) => (await pool.query({ text: query, rowMode: 'array' })).rows
    expect(await read('select user_id, chain_id from chain_acceptances order by chain_id')).toEqual([
      [1, 2],
      [1, 3],
    ])
    expect(await read('select name, dropped_chain_ids from api_tokens order by id')).toEqual([
      ['all', [4, 5, 8]],
      ['some', []],
      ['theirs', []],
    ])
    expect(await read('select distinct user_id, token_name from best_chain_selections')).toEqual([[1, 'all']])
  })
})
