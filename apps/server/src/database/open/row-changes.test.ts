import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import type { RowChange } from './row-changes.ts'

const FILL = `
  insert into users (name, email, username, display_username) values ('a', 'a', 'a', 'a'), ('b', 'b', 'b', 'b');
  insert into sessions (user_id, token, expires_at) values (1, 'one', now()), (2, 'two', now()), (2, 'three', now());
  insert into categories (name) values ('general'), ('unused');
  insert into tags (name, kind) values ('first', 'prompt'), ('second', 'prompt');
  insert into prompts (owner_id, category_id, title, content)
    select 1, 1, 'prompt', 'content' from generate_series(1, 200);
  insert into prompt_tags values (1, 1), (2, 1), (3, 2);
  insert into chains (owner_id, name) values (1, 'chain'), (2, 'chain');
  insert into chain_steps (chain_id, position, model, output_variable_name, prompt_id)
    values (1, 0, 'claude', 'a', 5), (2, 0, 'claude', 'a', null);
  insert into chain_shares (chain_id, user_id, role) values (1, 2, 'viewer');
  insert into prompt_shares (prompt_id, user_id, role) values (6, 2, 'viewer');
  insert into prompt_versions (prompt_id, number, title, content) values (6, 1, 'prompt', 'content'), (6, 2, 'prompt', 'content');
  insert into prompt_labels (prompt_id, label, version, moved_at) values (6, 'live', 1, now());
  insert into chain_versions (chain_id, number, name, description, stops_without_value, steps, step_count, bytes)
    values (1, 1, 'chain', '', 'never', '[]', 0, 5), (1, 2, 'chain', '', 'never', '[]', 0, 5);
  insert into chain_labels (chain_id, label, version, moved_at) values (1, 'live', 1, now());
  insert into api_tokens (kind, created_by, scopes, name, prefix, sha256) values ('read', 1, '{prompt:6,read}', 'token', '', 'hash');
  insert into prompt_names (name, owner_id, prompt_id, is_alias) values ('pmpt_one', 1, 6, true);
  insert into groups (name, name_key) values ('Team', 'team');
  insert into group_members (group_id, user_id) values (2, 1);
  insert into prompt_group_shares (prompt_id, group_id, role) values (6, 2, 'viewer');
  insert into chain_group_shares (chain_id, group_id, role) values (1, 2, 'viewer')`

/** A statement, and the row changes that it should report. */
const WRITES: [string, ...string[]][] = [
  [`update users set role = 'admin' where id = 2`, 'users 2'],
  [`update sessions set expires_at = now() where user_id = 2`, 'sessions 2,3'],
  [`delete from sessions where id = 1`, 'sessions 1'],
  [`update categories set name = 'other' where id = 1`, 'categories 1'],
  [`delete from categories where name = 'unused'`, 'categories 2'],
  [`update tags set name = 'other' where id = 2`, 'tags 2'],
  // What was deleted with it comes before.
  [`delete from tags where id = 1`, 'prompts 1,2', 'tags 1'],
  [`update prompts set is_public = true where id in (7, 8)`, 'prompts 7,8'],
  [`update prompts set is_public = true where id <= 100`, `prompts ${numbers(100)}`],
  [`update prompts set is_public = true where id <= 101`, 'prompts *'],
  [`update prompts set owner_id = 2 where id = 7`, 'prompts 7'],
  [`update chains set owner_id = 2 where id = 1`, 'chains 1'],
  [`delete from prompts where id = 5`, 'chains 1', 'prompts 5'],
  [`delete from prompt_tags where prompt_id = 3`, 'prompts 3'],
  [`insert into prompt_tags values (8, 1), (8, 2), (9, 1)`, 'prompts 8,9'],
  [`update prompt_tags set tag_id = 2 where prompt_id = 1`, 'prompts 1'],
  [`update chains set shared_level = 'public' where id = 1`, 'chains 1'],
  [`delete from chains where id = 2`, 'chains 2', 'chains 2'],
  [
    `insert into chain_steps (chain_id, position, model, output_variable_name) values (1, 1, 'claude', 'b')`,
    'chains 1',
  ],
  [`update chain_steps set content = 'other' where chain_id = 2`, 'chains 2'],
  [`delete from chain_steps where chain_id = 1`, 'chains 1'],
  [`insert into chain_shares (chain_id, user_id, role) values (2, 1, 'editor')`, 'chains 2'],
  [`update chain_shares set role = 'editor'`, 'chains 1'],
  [`delete from chain_shares`, 'chains 1'],
  [`insert into prompt_shares (prompt_id, user_id, role) values (8, 2, 'editor')`, 'prompts 8'],
  [`update prompt_shares set role = 'editor'`, 'prompts 6'],
  [`delete from prompt_shares`, 'prompts 6'],
  [`insert into group_members (group_id, user_id) values (2, 2)`, 'models *', 'users 2'],
  [`update group_members set is_leader = true`],
  [`delete from group_members`, 'models *', 'users 1'],
  [`update groups set quotas = '{"prompts": 3}' where id = 2`, 'users *'],
  [`insert into group_model_lists (group_id, model_ids) values (2, '{1}')`, 'models *'],
  [`insert into prompt_group_shares (prompt_id, group_id, role) values (8, 2, 'editor')`, 'prompts 8'],
  [`update prompt_group_shares set role = 'editor'`, 'prompts 6'],
  [`delete from prompt_group_shares`, 'prompts 6'],
  [`insert into chain_group_shares (chain_id, group_id, role) values (2, 2, 'editor')`, 'chains 2'],
  [`update chain_group_shares set role = 'editor'`, 'chains 1'],
  [`delete from chain_group_shares`, 'chains 1'],
  [`delete from groups where id = 2`, 'chains 1', 'models *', 'prompts 6', 'users 1'],
  [`delete from prompt_versions where number = 2`, 'prompts 6'],
  [`delete from chain_versions where number = 2`, 'chains 1'],
  [
    `insert into prompt_labels (prompt_id, label, version, moved_at) values (6, 'next', 1, now())`,
    'prompts 6',
  ],
  [`update prompt_labels set moved_at = now()`, 'prompts 6'],
  [`delete from prompt_labels`, 'prompts 6'],
  [`insert into chain_labels (chain_id, label, version, moved_at) values (1, 'next', 1, now())`, 'chains 1'],
  [`update chain_labels set moved_at = now()`, 'chains 1'],
  [`delete from chain_labels`, 'chains 1'],
  [`update api_tokens set scopes = '{prompt:6,prompt:7,read}'`, 'api_tokens 1'],
  [
    `insert into prompt_names (name, owner_id, prompt_id, is_alias) values ('intro', 1, 7, true)`,
    'prompts 7',
  ],
  [`update prompt_names set prompt_id = 7 where is_alias`, 'prompts 6'],
  [`delete from prompt_names where is_alias`, 'prompts 6'],
  // As the version before writes.
  [`insert into prompt_aliases (alias, prompt_id) values ('pmpt_two', 6)`, 'prompts 6'],
  [`delete from prompt_aliases where alias = 'pmpt_one'`, 'prompts 6'],
  [`insert into prompt_skills (prompt_id, description, parts) values (6, 'skill', '[]')`, 'prompts 6'],
  [`insert into prompt_acceptances (user_id, prompt_id) values (2, 6)`, 'prompts 6'],
  [`insert into chain_acceptances (user_id, chain_id) values (2, 1)`, 'chains 1'],
  [
    `delete from users where id = 2`,
    'chains 1',
    'chains 2',
    'chains 2',
    'prompts 6',
    'sessions 2,3',
    'users 2',
  ],
  [`insert into prompts (owner_id, category_id, title, content) values (1, 1, '', '')`],
  [`update prompts set title = '' where id = 1000`],
  [`insert into sessions (user_id, token, expires_at) values (1, 'new', now())`],
]

function numbers(to: number): string {
  return Array.from({ length: to }, (_, index) => index + 1).join(',')
}

describe.each(databaseKinds)('row changes on %s', (kind) => {
  const database = useTestDatabase(kind)
  const changes: (RowChange | null)[] = []
  /** The notes of what is deleted are told beside what was deleted. */
  const inWords = () =>
    changes
      .map((change) => (change === null ? 'anything' : `${change.table} ${change.ids ?? '*'}`))
      .filter((change) => change !== 'deletions *')
  // Nothing listens to other processes here, so all notifications come from the writing connection.
  beforeAll(() => database.client.rowChanges.subscribe((change) => changes.push(change)))
  beforeEach(async () => {
    await database.reset()
    await database.client.pool.query(FILL)
    changes.length = 0
  })

  it.each(WRITES)('%s is reported before the writer goes on', async (write, ...rows) => {
    await database.client.pool.query(write)
    expect(inWords().sort()).toEqual(rows)
  })

  it('what is deleted for good is told as a note too, and only where something was', async () => {
    await database.client.pool.query('delete from tags where id = 1000')
    expect(changes).toEqual([])
    await database.client.pool.query('delete from tags where id = 2')
    expect(changes).toContainEqual({ table: 'deletions', ids: null })
  })

  it('a transaction’s writes are reported once it has ended', async () => {
    const inside = await database.client.db.transaction(async (tx) => {
      await tx.execute(`update prompts set title = 'a' where id = 1`)
      await tx.execute(`update prompts set title = 'b' where id = 2`)
      return inWords()
    })
    expect([inside, inWords()]).toEqual([[], ['prompts 1', 'prompts 2']])
  })

  it('nothing silences them: neither a quiet client nor rows that come as a replica’s', async () => {
    const client = await database.client.pool.connect()
    await client.query(`set client_min_messages = error; set session_replication_role = replica`)
    await client.query(`update prompts set title = 'a' where id = 1`)
    await client.query('reset all')
    client.release()
    expect(inWords()).toEqual(['prompts 1'])
  })

  it('a connection that is lost may have written anything', async () => {
    const client = await database.client.pool.connect()
    await client.query('begin')
    await client.query(`update prompts set title = 'a' where id = 1`)
    const error = new Error('The cable was cut')
    // As the driver does it when the socket fails.
    Reflect.get(client, 'connection').stream.destroy(error)
    await vi.waitFor(() => expect(inWords()).toContain('anything'))
    client.release(error)
  })
})
