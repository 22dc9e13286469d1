import { describe, expect, test } from 'vitest'
import { CALLERS } from '../../callers.ts'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { DELETED_KINDS, isTime } from './deleted-kinds.ts'

const TOKENS = ['api_tokens']

/**
 * What each route deletes for good: the tables whose triggers note it, or why nothing has to be noted. A new route
 * stands here too, and a table that it is the first to delete from in DELETED_KINDS, with its trigger.
 */
const DELETING: Record<string, string[] | string> = {
  '/api/account/sessions': 'a restore ends all sessions',
  '/api/account/sessions/:id': 'a restore ends all sessions',
  '/api/admin/backups/:id': 'a file, which no copy has',
  '/api/admin/labels/:kind/:id': ['categories', 'tags'],
  '/api/admin/model-access/:userId': 'a setting: everyone’s models again',
  '/api/admin/models/:id': ['models'],
  '/api/admin/protected-labels/:label': 'a setting, which can be made again',
  '/api/admin/providers/:id': ['model_providers'],
  '/api/api-tokens/:id': TOKENS,
  '/api/auth/google': ['accounts'],
  '/api/chain-acceptances/:id': 'a yes, for tokens that a restore turns off',
  '/api/chains/:id': ['chains'],
  '/api/chains/:id/labels/:label': 'a label, which can be set again',
  '/api/chains/:id/run-share': ['run_shares'],
  '/api/chains/:id/steps/:stepId': 'a change of a chain, whose versions keep it',
  '/api/chains/:id/versions/:number': ['chain_versions'],
  '/api/evaluations/:id': ['evaluations'],
  '/api/examples': ['prompts', 'chains', 'variables'],
  '/api/executions/:id': ['executions'],
  '/api/executions/:id/rating': ['execution_ratings'],
  '/api/executions/:id/share': 'a right that is taken back: the run stays',
  '/api/first-steps': 'a setting: they are put away',
  '/api/folder-tokens/:id': TOKENS,
  '/api/mcp-tokens/:id': TOKENS,
  '/api/own-tokens/:id': TOKENS,
  '/api/prompt-acceptances/:id': 'a yes, for tokens that a restore turns off',
  '/api/prompts/:id': ['prompts'],
  '/api/prompts/:id/aliases/:alias': 'a name, which can be given again',
  '/api/prompts/:id/executions': ['executions'],
  '/api/prompts/:id/labels/:label': 'a label, which can be set again',
  '/api/prompts/:id/run-share': ['run_shares'],
  '/api/prompts/:id/skill': 'a way to serve a prompt, which stays',
  '/api/prompts/:id/versions/:number': ['prompt_versions'],
  '/api/read-tokens/:id': TOKENS,
  '/api/scheduled-runs/:id': ['scheduled_runs'],
  '/api/test-suites/:id': ['test_suites'],
  '/api/test-suites/:id/cases/:caseId': ['test_cases'],
  '/api/tokens/:id': TOKENS,
  '/api/variables/:id': ['variables'],
  '/api/webhooks/:id': ['webhooks'],
  '/mcp': 'a session of the protocol',
}

test('each route that deletes says what is noted of it, or why nothing is', () => {
  const deleting = Object.entries(CALLERS).flatMap(([path, methods]) => ('DELETE' in methods ? path : []))
  expect(Object.keys(DELETING).toSorted()).toEqual(deleting.toSorted())
  const tables = new Set(Object.values(DELETING).filter(Array.isArray).flat())
  // Nobody’s account is deleted by a route.
  expect([...tables, 'users'].toSorted()).toEqual(Object.keys(DELETED_KINDS).toSorted())
})

describe.each(databaseKinds)('the schema on %s', (kind) => {
  const database = useTestDatabase(kind)

  test('each of these tables has a trigger that notes what is deleted, by the columns that tell its rows apart', async () => {
    const { pool } = database.client
    const triggers = await pool.query<{ kind: string; definition: string }>(`
      select c.relname as kind, pg_get_triggerdef(t.oid) as definition
      from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'note_deleted'`)
    const noted = triggers.rows.map(({ kind: name, definition }) => [
      name,
      [...definition.matchAll(/'(\w+)'/g)].map(([, column]) => column),
    ])
    expect(Object.fromEntries(noted)).toEqual(DELETED_KINDS)
    const columns = await pool.query<{ at: string; type: string }>(`
      select table_name || '.' || column_name as at, data_type as type from information_schema.columns
      where table_schema = 'public'`)
    const types = new Map(columns.rows.map(({ at, type }) => [at, type]))
    for (const [name, key] of Object.entries(DELETED_KINDS)) {
      for (const column of key) {
        const type = isTime(column) ? 'timestamp with time zone' : 'integer'
        expect({ name, column, type: types.get(`${name}.${column}`) }).toEqual({ name, column, type })
      }
    }
  })
})
