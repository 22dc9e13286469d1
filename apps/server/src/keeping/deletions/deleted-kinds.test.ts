import type { DeleteKey } from '@catenary/contracts'
import { describe, expect, test } from 'vitest'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { DELETED_KINDS, isTime } from './delete-again.ts'

const TOKENS = ['api_tokens']

/**
 * What each endpoint deletes for good: the tables whose triggers note it, or why nothing has to be noted. A table that is
 * deleted from for the first time says in TABLE_RECORDS what is noted, and has its trigger.
 */
const DELETING: Record<DeleteKey, string[] | string> = {
  'DELETE /api/account/sessions': 'a restore ends all sessions',
  'DELETE /api/account/sessions/{id}': 'a restore ends all sessions',
  'DELETE /api/admin/backups/{id}': 'a file, which no copy has',
  'DELETE /api/admin/groups/{id}/models': 'a setting: everyone’s models again',
  'DELETE /api/admin/labels/{kind}/{id}': ['categories', 'tags'],
  'DELETE /api/admin/model-access/{userId}': 'a setting: everyone’s models again',
  'DELETE /api/admin/models/{id}': ['models'],
  'DELETE /api/admin/protected-labels/{label}': 'a setting, which can be made again',
  'DELETE /api/admin/providers/{id}': ['model_providers'],
  'DELETE /api/api-tokens/{id}': TOKENS,
  'DELETE /api/auth/google': ['accounts'],
  'DELETE /api/chain-acceptances/{id}': 'a yes, for tokens that a restore turns off',
  'DELETE /api/chains/{id}': ['chains'],
  'DELETE /api/chains/{id}/labels/{label}': 'a label, which can be set again',
  'DELETE /api/chains/{id}/owner': 'an offer, which can be made again',
  'DELETE /api/chains/{id}/run-share': ['run_shares'],
  'DELETE /api/chains/{id}/steps/{stepId}': 'a change of a chain, whose versions keep it',
  'DELETE /api/chains/{id}/versions/{number}': ['chain_versions'],
  'DELETE /api/evaluations/{id}': ['evaluations'],
  'DELETE /api/examples': ['prompts', 'chains', 'variables'],
  'DELETE /api/executions/{id}': ['executions'],
  'DELETE /api/executions/{id}/rating': ['execution_ratings'],
  'DELETE /api/executions/{id}/share': 'a right that is taken back: the run stays',
  'DELETE /api/first-steps': 'a setting: they are put away',
  'DELETE /api/folder-tokens/{id}': TOKENS,
  'DELETE /api/groups/{id}': ['groups'],
  'DELETE /api/mcp-tokens/{id}': TOKENS,
  'DELETE /api/own-tokens/{id}': TOKENS,
  'DELETE /api/prompt-acceptances/{id}': 'a yes, for tokens that a restore turns off',
  'DELETE /api/prompts/{id}': ['prompts'],
  'DELETE /api/prompts/{id}/aliases/{alias}': 'a name, which can be given again',
  'DELETE /api/prompts/{id}/executions': ['executions'],
  'DELETE /api/prompts/{id}/labels/{label}': 'a label, which can be set again',
  'DELETE /api/prompts/{id}/owner': 'an offer, which can be made again',
  'DELETE /api/prompts/{id}/run-share': ['run_shares'],
  'DELETE /api/prompts/{id}/skill': 'a way to serve a prompt, which stays',
  'DELETE /api/prompts/{id}/versions/{number}': ['prompt_versions'],
  'DELETE /api/read-tokens/{id}': TOKENS,
  'DELETE /api/scheduled-runs/{id}': ['scheduled_runs'],
  'DELETE /api/test-suites/{id}': ['test_suites'],
  'DELETE /api/test-suites/{id}/cases/{caseId}': ['test_cases'],
  'DELETE /api/tokens/{id}': TOKENS,
  'DELETE /api/variables/{id}': ['variables'],
  'DELETE /api/variables/{id}/owner': 'an offer, which can be made again',
  'DELETE /api/views/{id}': 'filters under a name, which can be saved again',
  'DELETE /api/webhooks/{id}': ['webhooks'],
  'DELETE /mcp': 'a session of the protocol',
  'DELETE /v1/responses/{id}': 'a way to read a run, which stays',
}

test('Each route that deletes says which tables are noted, or why none is; each of these has its trigger.', () => {
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
