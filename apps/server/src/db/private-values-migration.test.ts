import { beforeEach, describe, expect, test } from 'vitest'
import { upgradeDatabaseKinds } from '../testing/database.ts'
import { useMigrations } from '../testing/migrations.ts'
import { migrate } from './migrate.ts'

/** Migrations before runs knew it. */
const BEFORE = 31

const origin = (fields: object) =>
  JSON.stringify({
    client: {
      ...{
        type: 'text',
        variableId: 1,
        revision: 1,
        source: null,
        at: '2026-11-01T00:00:00Z',
        cachedAt: null,
      },
      ...{ error: null, ...fields },
    },
  })

interface KeptRun {
  kind?: 'prompt' | 'chain'
  run?: string
  input?: string
  resolved: string | null
}

/** What was kept of a run, and whether it is open after the upgrade. */
const RUNS: (KeptRun & { what: string; is: false | null })[] = [
  { what: 'took in a public value', resolved: origin({ isPrivate: false }), is: false },
  { what: 'had its value typed', resolved: origin({ type: 'typed' }), is: false },
  { what: 'named no variable', resolved: origin({ type: 'none' }), is: false },
  { what: 'is the text of its prompt', resolved: '{}', input: 'Dear $<client>', is: false },
  { what: 'took in a private value', resolved: origin({ isPrivate: true }), is: null },
  { what: 'does not say whose its value was', resolved: origin({}), is: null },
  { what: 'keeps no origins', resolved: null, is: null },
  { what: 'came whole', resolved: '{}', input: 'Dear Zebra', is: null },
  {
    what: 'has lost its texts',
    run: 'texts_deleted = true',
    resolved: origin({ isPrivate: false }),
    is: null,
  },
  { what: 'goes on', run: "status = 'running'", resolved: origin({ isPrivate: false }), is: null },
  { what: 'is of a chain without variables', kind: 'chain', resolved: '{}', input: 'As it was', is: false },
]

describe.each(upgradeDatabaseKinds)(
  'the upgrade to runs that know whether they used private values, on %s',
  (kind) => {
    const { client, startFrom } = useMigrations(kind)
    beforeEach(async () => {
      await startFrom(BEFORE)
      const { pool } = client()
      await pool.query(`
      insert into users (name, email, username, display_username) values
        ('o', 'o@example.org', 'o', 'O'), ('v', 'v@example.org', 'v', 'V');
      insert into categories (name) values ('Letters');
      insert into prompts (owner_id, title, content, category_id, is_public) values
        (1, 'Public', 'Dear $<client>', 1, true), (1, 'Private', 'Dear $<client>', 1, false);
      insert into prompt_versions (prompt_id, number, title, content) values (1, 1, 'Public', 'Dear $<client>');
      insert into chains (owner_id, name) values (1, 'Letters')`)
    })

    const addRun = async ({ kind: of = 'prompt', run, input = 'Dear x', resolved }: KeptRun) => {
      const { pool } = client()
      const { rows } = await pool.query(
        `insert into executions (kind, user_id, prompt_id, chain_id, status)
       values ($1::execution_kind, 2, $2, $3, 'completed') returning id`,
        [of, of === 'prompt' ? 1 : null, of === 'chain' ? 1 : null],
      )
      const { id } = rows[0] as { id: number }
      await pool.query(
        `insert into execution_steps (execution_id, position, status, model, prompt_id, prompt_version, input_content,
        input_segments, resolved) values ($1, 0, 'completed', 'openai', $2, 1, $3, '[]', $4)`,
        [id, of === 'prompt' ? 1 : null, input, resolved],
      )
      if (run !== undefined) await pool.query(`update executions set ${run} where id = ${id}`)
      return id
    }

    test('opens those alone of which every origin says so, and counts no evaluations where there were none', async () => {
      const ids: number[] = []
      for (const run of RUNS) ids.push(await addRun(run))
      await migrate({ database: client() })
      const { rows } = await client().pool.query('select id, private_values from executions order by id')
      const found = new Map(rows.map((row) => [row.id, row.private_values]))
      expect(RUNS.map(({ what }, index) => [what, found.get(ids[index] ?? 0)])).toEqual(
        RUNS.map(({ what, is }) => [what, is]),
      )
      const counted = await client().pool.query("select from settings where key = 'evaluationsClosed'")
      expect(counted.rows).toEqual([])
    })

    test('counts the evaluations that others could read, for administrators', async () => {
      const { pool } = client()
      const addEvaluation = async ({ of, by, run }: { of: number; by: number; run: number }) => {
        const { rows } = await pool.query(
          `insert into evaluations (prompt_id, suite_name, started_by, status, ceiling_nanos, estimate, cases, cases_hash, targets)
         values (${of}, 'S', ${by}, 'completed', 1, '{}', '[]', '', '[]') returning id`,
        )
        await pool.query(
          `insert into evaluation_cells (evaluation_id, case_position, target_position, hash, status, execution_id)
         values (${rows[0].id}, 0, 0, '', 'failed', ${run})`,
        )
      }
      const [secret, open] = [
        await addRun({ resolved: origin({ isPrivate: true }) }),
        await addRun({ resolved: origin({ isPrivate: false }) }),
      ]
      await addEvaluation({ of: 1, by: 2, run: secret })
      await addEvaluation({ of: 1, by: 1, run: secret })
      await addEvaluation({ of: 2, by: 2, run: secret })
      await addEvaluation({ of: 2, by: 1, run: secret })
      await addEvaluation({ of: 1, by: 2, run: open })
      await migrate({ database: client() })
      const { rows } = await pool.query("select value from settings where key = 'evaluationsClosed'")
      expect(rows).toEqual([{ value: { count: 3 } }])
    })
  },
)
