import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  lt,
  lte,
  max,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { apiTokens, prompts, runRatings, runSteps, runs, users } from '../../../database/schema/index.ts'
import { isNotCell } from '../../../database/statements/evaluation-runs.ts'
import type { Database, Executor } from '../../../database/statements/executor.ts'
import { inBatches } from '../../../database/statements/long-statements.ts'
import { isKeptRun, isSharedRun, openRunColumns, sharing } from '../../../database/statements/open-runs.ts'
import type { ApiCall } from '../engine/api-call.ts'
import { countRuns } from './count-runs.sql.ts'
import { isRated, isRatingOf, ratingColumns } from './own-ratings.sql.ts'

const {
  userInput: _input,
  variableValues: _values,
  plan: _plan,
  output: _output,
  subscribers: _subscribers,
  ...runColumns
} = getTableColumns(runs)
/** What an answer in the background gives back may be long, and is for its caller alone. */
const apiCall = sql<ApiCall | null>`${runs.apiCall} - 'background'`.as('api_call')
const summaryColumns = { ...runColumns, ...openRunColumns, apiCall }
const tokenName = sql<string | null>`(
  select ${apiTokens.name} from ${apiTokens} where ${apiTokens.id} = ${runs.apiTokenId}
)`.as('token_name')
const isHeld = sql<boolean>`coalesce(${runs.leaseUntil} >= now() and ${runs.waitingFor} is null, false)`

export async function findOptionalRun(db: Executor, id: number) {
  const [found] = await db
    .select({ ...summaryColumns, isHeld, tokenName, executedBy: users.displayUsername })
    .from(runs)
    .innerJoin(users, eq(users.id, runs.userId))
    .where(eq(runs.id, id))
  return found
}

export type RunRow = NonNullable<Awaited<ReturnType<typeof findOptionalRun>>>

export async function findRunTexts(db: Executor, id: number) {
  const [found] = await db
    .select({
      output: runs.output,
      userInput: runs.userInput,
      variableValues: runs.variableValues,
      plan: runs.plan,
    })
    .from(runs)
    .where(eq(runs.id, id))
  return found
}

export function listStepRows(db: Executor, executionId: number) {
  return db
    .select()
    .from(runSteps)
    .where(eq(runSteps.executionId, executionId))
    .orderBy(asc(runSteps.position))
}

export type StepRow = Awaited<ReturnType<typeof listStepRows>>[number]

/** Those of the prompts that are still there: neither a run's plan nor its steps hold a prompt. */
export async function listExistingPrompts(db: Executor, ids: number[]): Promise<Set<number>> {
  const rows = await db.select({ id: prompts.id }).from(prompts).where(inArray(prompts.id, ids))
  return new Set(rows.map(({ id }) => id))
}

const stateColumns = {
  position: runSteps.position,
  status: runSteps.status,
  error: runSteps.error,
  errorCode: runSteps.errorCode,
  skipReason: runSteps.skipReason,
  retries: runSteps.retries,
  limitWaitMs: runSteps.limitWaitMs,
  finishReason: runSteps.finishReason,
  inputTokens: runSteps.inputTokens,
  outputTokens: runSteps.outputTokens,
  cachedTokens: runSteps.cachedTokens,
  costNanos: runSteps.costNanos,
  savedNanos: runSteps.savedNanos,
  durationMs: runSteps.durationMs,
}

/** Prepared, as each watcher and each poll asks for it: the run's state with those of its steps, without texts. */
export function prepareFindRunState(db: Database) {
  const prepared = db
    .select({
      run: {
        id: runs.id,
        kind: runs.kind,
        userId: runs.userId,
        chainId: runs.chainId,
        chainLabel: runs.chainLabel,
        trigger: runs.trigger,
        attempt: runs.attempt,
        executedAt: runs.executedAt,
        status: runs.status,
        error: runs.error,
        stepCount: runs.stepCount,
        errorCode: runs.errorCode,
        promptId: runs.promptId,
        visibilityEpoch: runs.visibilityEpoch,
        textsDeleted: runs.textsDeleted,
        waitingFor: runs.waitingFor,
        wouldLeave: runs.wouldLeave,
        ...openRunColumns,
        isHeld,
      },
      step: stateColumns,
    })
    .from(runs)
    .leftJoin(runSteps, eq(runSteps.executionId, runs.id))
    .where(eq(runs.id, sql.placeholder('id')))
    .orderBy(asc(runSteps.position))
    .prepare('find_run_state')
  return async (id: number) => {
    const rows = await prepared.execute({ id })
    const [first] = rows
    return first && { run: first.run, steps: rows.flatMap(({ step }) => step ?? []) }
  }
}

/** What differs once the state of a run or of one of its steps does, or with whom it is shared. */
export function listRunFingerprints(db: Executor, ids: number[]) {
  const ofSteps = sql`(
    select concat_ws(' ', count(*) filter (where status = 'completed'), count(*) filter (where error is not null))
    from execution_steps where execution_id = ${runs.id}
  )`
  return db
    .select({
      id: runs.id,
      fingerprint: sql<string>`concat_ws(' ', ${runs.attempt}, ${runs.status}, ${isHeld}, ${runs.waitingFor} ->> 'askId', ${sharing}, ${ofSteps})`,
    })
    .from(runs)
    .where(inArray(runs.id, ids))
}

export type RunStateRow = NonNullable<Awaited<ReturnType<ReturnType<typeof prepareFindRunState>>>>

export interface ChainHistoryFilter {
  chainId?: number
  apiTokenId?: number
  trigger?: 'manual' | 'schedule' | 'token' | 'evaluation' | undefined
  userId: number | undefined
  visibilityEpoch?: number | null
  viewerId: number
  rated?: 'up' | 'down' | undefined
}

function isChainRun({
  chainId,
  apiTokenId,
  trigger,
  userId,
  visibilityEpoch = null,
  viewerId,
  rated,
}: ChainHistoryFilter): SQL | undefined {
  const isOfEpoch = visibilityEpoch === null ? undefined : eq(runs.visibilityEpoch, visibilityEpoch)
  return and(
    chainId === undefined ? undefined : eq(runs.chainId, chainId),
    apiTokenId === undefined ? undefined : eq(runs.apiTokenId, apiTokenId),
    trigger === undefined ? isNotCell : eq(runs.trigger, trigger),
    // A filter must not reveal what started a run that is kept from them.
    trigger === undefined || userId === undefined ? undefined : or(eq(runs.userId, userId), not(isKeptRun)),
    userId === undefined ? undefined : or(eq(runs.userId, userId), isOfEpoch, isSharedRun),
    isRated({ viewerId, rated }),
  )
}

export function countChainRuns(db: Executor, filter: ChainHistoryFilter): Promise<number> {
  return countRuns(db, isChainRun(filter))
}

export async function listChainRuns(
  db: Executor,
  { before, limit, ...filter }: ChainHistoryFilter & { before: number | undefined; limit: number },
) {
  const page = db
    .select({ ...summaryColumns, ...ratingColumns, tokenName, executedBy: users.displayUsername })
    .from(runs)
    .innerJoin(users, eq(users.id, runs.userId))
    .leftJoin(runRatings, isRatingOf(filter.viewerId))
    .where(and(isChainRun(filter), before === undefined ? undefined : lt(runs.id, before)))
    .orderBy(desc(runs.id))
    .limit(limit)
    .as('page')
  const ofSteps = db
    .select({
      title: sql<string | null>`min(${runSteps.title})`.as('title'),
      completedSteps: sql<number>`count(*) filter (where ${runSteps.status} = 'completed')`
        .mapWith(Number)
        .as('completed_steps'),
      cutSteps: sql<number>`count(*) filter (where ${runSteps.finishReason} in ('length', 'other'))`
        .mapWith(Number)
        .as('cut_steps'),
      inputTokens: sumOfAll(runSteps.inputTokens).as('input_tokens_sum'),
      outputTokens: sumOfAll(runSteps.outputTokens).as('output_tokens_sum'),
      cachedTokens: sumOfKnown(runSteps.cachedTokens).as('cached_tokens_sum'),
      costNanos: sumOfAll(runSteps.costNanos).as('cost_nanos_sum'),
      savedNanos: sumOfKnown(runSteps.savedNanos).as('saved_nanos_sum'),
      durationMs: sumOfKnown(runSteps.durationMs).as('duration_ms_sum'),
    })
    .from(runSteps)
    .where(eq(runSteps.executionId, page.id))
    .as('of_steps')
  return db.select().from(page).innerJoinLateral(ofSteps, sql`true`).orderBy(desc(page.id))
}

export type ChainRunRow = Awaited<ReturnType<typeof listChainRuns>>[number]

const sumOfKnown = (column: SQLWrapper) => sql<number | null>`sum(${column})`.mapWith(Number)

/** Null unless it is known of each completed step. */
function sumOfAll(column: SQLWrapper) {
  return sql<number | null>`
    case when bool_and(${column} is not null or ${runSteps.status} <> 'completed') then sum(${column}) end
  `.mapWith(Number)
}

export async function deleteRunRow(db: Executor, id: number): Promise<void> {
  await db.delete(runs).where(eq(runs.id, id))
}

/** Deletes one person's history of a prompt, as far as it has come by now, in slices. */
export async function deletePromptRunRows(
  db: Database,
  { promptId, userId }: { promptId: number; userId: number },
): Promise<void> {
  const isTheirs = and(
    eq(runs.kind, 'prompt'),
    eq(runs.promptId, promptId),
    eq(runs.userId, userId),
    isNotCell,
  )
  const [newest] = await db
    .select({ id: max(runs.id) })
    .from(runs)
    .where(isTheirs)
  const upTo = lte(runs.id, newest?.id ?? 0)
  await inBatches(db, (size) => deleteRuns(db, { which: and(isTheirs, upTo), size }))
}

async function deleteRuns(
  db: Database,
  { which, size }: { which: SQL | undefined; size: number },
): Promise<number> {
  const slice = db.select({ id: runs.id }).from(runs).where(which).limit(size)
  const { rowCount } = await db.delete(runs).where(inArray(runs.id, slice))
  return rowCount ?? 0
}
