import {
  HOOK_REPEAT_DAYS,
  type RetentionSettings,
  retentionSettings,
  retentionState,
} from '@catenary/contracts'
import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { asks, hookDeliveries, runItems, runSteps, runs } from '../../database/schema/index.ts'
import type { Database, Executor, Transaction } from '../../database/statements/executor.ts'
import { inBatches } from '../../database/statements/long-statements.ts'
import { NOTE_NOTHING } from '../../database/statements/note-nothing.ts'
import { RETENTION, readSetting, writeSetting } from '../../database/statements/stored-setting.ts'

const LAST = 'retention-last'
const lastCleanup = retentionState.shape.last.unwrap()
type LastCleanup = (typeof lastCleanup)['_output']

/** As the version before writes and reads it: how long the activity is kept has a setting of its own. */
const storedRetention = retentionSettings.omit({ activityDays: true })
type StoredRetention = Omit<RetentionSettings, 'activityDays'>

export async function findOptionalRetention(db: Executor): Promise<StoredRetention | undefined> {
  return storedRetention.safeParse(await readSetting(db, RETENTION)).data
}

export async function findOptionalLastCleanup(db: Executor): Promise<LastCleanup | undefined> {
  return lastCleanup.safeParse(await readSetting(db, LAST)).data
}

export function saveLastCleanup(db: Executor, last: LastCleanup): Promise<void> {
  return writeSetting(db, { key: LAST, value: last })
}

export function saveRetention(tx: Transaction, wanted: StoredRetention): Promise<void> {
  return writeSetting(tx, { key: RETENTION, value: wanted })
}

/** From the sizes of files and the planner's own estimates: no table is read. */
export async function readSizes(db: Executor) {
  const { rows } = await db.execute<
    Record<'runs' | 'run_rows' | 'texts' | 'keys' | 'key_rows' | 'database', number>
  >(sql`
    with stored as (
      select relname, pg_relation_size(oid) + pg_indexes_size(oid) as bytes, greatest(reltuples, 0) as rows,
        coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0) as long
      from pg_class where oid in (
        'executions'::regclass, 'execution_steps'::regclass, 'execution_items'::regclass, 'idempotency_keys'::regclass, 'api_token_calls'::regclass
      )
    )
    select
      sum(bytes) filter (where relname like 'execution%')::double precision as runs,
      sum(rows) filter (where relname = 'executions')::double precision as run_rows,
      sum(long) filter (where relname like 'execution%')::double precision as texts,
      sum(bytes + long) filter (where relname not like 'execution%')::double precision as keys,
      sum(rows) filter (where relname not like 'execution%')::double precision as key_rows,
      pg_database_size(current_database())::double precision as database
    from stored`)
  const { runs = 0, run_rows = 0, texts = 0, keys = 0, key_rows = 0, database = 0 } = rows[0] ?? {}
  return {
    runs: { bytes: runs, rows: Math.round(run_rows) },
    texts: { bytes: texts },
    keys: { bytes: keys, rows: Math.round(key_rows) },
    database: { bytes: database },
  }
}

interface Deletion {
  before: Date
  signal: AbortSignal
}

export function deleteOldRuns(db: Database, deletion: Deletion): Promise<number> {
  return forOldRuns(db, deletion, async (ids) => {
    await db.delete(runs).where(and(inArray(runs.id, ids), sql.raw(NOTE_NOTHING)))
  })
}

/** As old as the runs that are deleted, but for those of which a repeat is known. */
export async function deleteOldHookDeliveries(db: Database, { before, signal }: Deletion): Promise<void> {
  const { id, createdAt } = hookDeliveries
  const isPast = sql`${createdAt} <= now() - make_interval(days => ${HOOK_REPEAT_DAYS})`
  await inBatches(
    db,
    async (size) => {
      const old = db
        .select({ id })
        .from(hookDeliveries)
        .where(and(lt(createdAt, before), isPast))
        .limit(size)
      const { rowCount } = await db.delete(hookDeliveries).where(inArray(id, old))
      return rowCount ?? 0
    },
    { signal },
  )
}

export function deleteOldTexts(db: Database, deletion: Deletion): Promise<number> {
  return forOldRuns(db, { ...deletion, withTexts: true }, async (ids) => {
    await db.transaction(async (tx) => {
      await tx
        .update(runSteps)
        .set({
          template: null,
          systemPrompt: '',
          messages: null,
          settings: sql`(${runSteps.settings}::jsonb - 'stop' - 'output')::json`,
          inputContent: null,
          inputSegments: null,
          resolved: null,
          attachments: null,
          aiResponse: null,
          structured: null,
          // That it was skipped stays, and why does not.
          skipReason: sql`case when ${runSteps.skipReason} is not null then '' end`,
        })
        .where(inArray(runSteps.executionId, ids))
      await tx
        .update(runItems)
        .set({
          item: '',
          resolved: {},
          systemPrompt: null,
          messages: null,
          inputContent: null,
          inputSegments: null,
          aiResponse: null,
          structured: null,
          skipReason: sql`case when ${runItems.skipReason} is not null then '' end`,
        })
        .where(inArray(runItems.executionId, ids))
      await tx
        .update(runs)
        .set({
          userInput: '',
          variableValues: {},
          output: null,
          plan: planWithoutTexts,
          textsDeleted: true,
          apiCall: sql`${runs.apiCall} - 'background'`,
        })
        .where(inArray(runs.id, ids))
      await tx
        .update(asks)
        .set({ ...ASK_WITHOUT_TEXTS, reason: sql`case when ${asks.reason} is not null then '' end` })
        .where(inArray(asks.executionId, ids))
    })
  })
}

/** Who decided what stays. */
const ASK_WITHOUT_TEXTS = {
  text: '',
  givenText: null,
  calls: null,
  input: { outputName: '', segments: [], resolved: {} },
}

const planWithoutTexts = sql`(
  select json_agg((step::jsonb - 'schema' - 'stop' - 'output' - 'messages' - 'onlyIf' - 'default' - 'ends' - 'ask' - 'tool' - 'given' - 'sends') || '{"template": "", "systemPrompt": ""}')
  from json_array_elements(${runs.plan}) as step
)`

/** Older runs have smaller ids: scans from the oldest up to the first that stays. */
async function forOldRuns(
  db: Database,
  { before, signal, withTexts = false }: Deletion & { withTexts?: boolean },
  change: (ids: number[]) => Promise<void>,
): Promise<number> {
  let after = 0
  let changed = 0
  const { id, executedAt, status, textsDeleted } = runs
  await inBatches(
    db,
    async (size) => {
      const rows = await db
        .select({ id, executedAt, status })
        .from(runs)
        .where(and(gt(id, after), withTexts ? eq(textsDeleted, false) : undefined))
        .orderBy(asc(id))
        .limit(size)
      const old = rows.filter((row) => row.executedAt < before)
      const ids = old.flatMap((row) => (row.status === 'running' ? [] : row.id))
      if (ids.length > 0) await change(ids)
      changed += ids.length
      after = old.at(-1)?.id ?? after
      return old.length
    },
    { signal },
  )
  return changed
}
