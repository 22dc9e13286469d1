import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  lt,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { clipOf, isClipped, isLongJson } from '../../../db/clipped-text.ts'
import type { Database, Executor } from '../../../db/executor.ts'
import { executionSteps, executions, prompts, users } from '../../../db/schema/index.ts'

const {
  userInput: _input,
  variableValues: _values,
  plan: _plan,
  output: _output,
  subscribers: _subscribers,
  ...summaryColumns
} = getTableColumns(executions)
/** A worker has it. */
const isHeld = sql<boolean>`coalesce(${executions.leaseUntil} >= now(), false)`

/** Whose a run is, and of what. */
export async function findOptionalRun(executor: Executor, id: number) {
  const [found] = await executor
    .select({ ...summaryColumns, isHeld, executedBy: users.displayUsername })
    .from(executions)
    .innerJoin(users, eq(users.id, executions.userId))
    .where(eq(executions.id, id))
  return found
}

export type RunRow = NonNullable<Awaited<ReturnType<typeof findOptionalRun>>>

/** The run's own texts, which lists leave out; its plan holds those of all its steps. */
export async function findRunTexts(executor: Executor, id: number) {
  const [found] = await executor
    .select({
      output: executions.output,
      userInput: executions.userInput,
      variableValues: executions.variableValues,
      plan: executions.plan,
    })
    .from(executions)
    .where(eq(executions.id, id))
  return found
}

export function listStepRows(executor: Executor, executionId: number) {
  return executor
    .select()
    .from(executionSteps)
    .where(eq(executionSteps.executionId, executionId))
    .orderBy(asc(executionSteps.position))
}

export type StepRow = Awaited<ReturnType<typeof listStepRows>>[number]

/** Those of the prompts that are still there: neither a run's plan nor its steps hold a prompt. */
export async function listExistingPrompts(executor: Executor, ids: number[]): Promise<Set<number>> {
  const rows = await executor.select({ id: prompts.id }).from(prompts).where(inArray(prompts.id, ids))
  return new Set(rows.map(({ id }) => id))
}

const stateColumns = {
  position: executionSteps.position,
  status: executionSteps.status,
  error: executionSteps.error,
  retries: executionSteps.retries,
  inputTokens: executionSteps.inputTokens,
  outputTokens: executionSteps.outputTokens,
  costNanos: executionSteps.costNanos,
  durationMs: executionSteps.durationMs,
}

/** Prepared, as each watcher and each poll asks for it: the run's state with those of its steps, without texts. */
export function prepareFindRunState(db: Database) {
  const prepared = db
    .select({
      run: {
        id: executions.id,
        kind: executions.kind,
        userId: executions.userId,
        chainId: executions.chainId,
        status: executions.status,
        error: executions.error,
        stepCount: executions.stepCount,
        isHeld,
      },
      step: stateColumns,
    })
    .from(executions)
    .leftJoin(executionSteps, eq(executionSteps.executionId, executions.id))
    .where(eq(executions.id, sql.placeholder('id')))
    .orderBy(asc(executionSteps.position))
    .prepare('find_run_state')
  return async (id: number) => {
    const rows = await prepared.execute({ id })
    const [first] = rows
    return first && { run: first.run, steps: rows.flatMap(({ step }) => step ?? []) }
  }
}

/** What differs once the state of a run or of one of its steps does. */
export function listRunFingerprints(executor: Executor, ids: number[]) {
  const ofSteps = sql`(
    select concat_ws(' ', count(*) filter (where status = 'completed'), count(*) filter (where error is not null))
    from execution_steps where execution_id = ${executions.id}
  )`
  return executor
    .select({
      id: executions.id,
      fingerprint: sql<string>`concat_ws(' ', ${executions.attempt}, ${executions.status}, ${isHeld}, ${ofSteps})`,
    })
    .from(executions)
    .where(inArray(executions.id, ids))
}

export type RunStateRow = NonNullable<Awaited<ReturnType<ReturnType<typeof prepareFindRunState>>>>

export interface ChainHistoryFilter {
  chainId: number
  /** Only this person's runs; undefined for everyone's. */
  userId: number | undefined
}

function isChainRun({ chainId, userId }: ChainHistoryFilter): SQL | undefined {
  return and(
    eq(executions.kind, 'chain'),
    eq(executions.chainId, chainId),
    userId === undefined ? undefined : eq(executions.userId, userId),
  )
}

export async function countChainRuns(executor: Executor, filter: ChainHistoryFilter): Promise<number> {
  const [counted] = await executor.select({ count: count() }).from(executions).where(isChainRun(filter))
  return counted?.count ?? 0
}

/** A chain's runs, newest first, each with the sums of its steps. */
export async function listChainRuns(
  executor: Executor,
  { before, limit, ...filter }: ChainHistoryFilter & { before: number | undefined; limit: number },
) {
  const page = executor
    .select({ ...summaryColumns, executedBy: users.displayUsername })
    .from(executions)
    .innerJoin(users, eq(users.id, executions.userId))
    .where(and(isChainRun(filter), before === undefined ? undefined : lt(executions.id, before)))
    .orderBy(desc(executions.id))
    .limit(limit)
    .as('page')
  const ofSteps = executor
    .select({
      completedSteps: sql<number>`count(*) filter (where ${executionSteps.status} = 'completed')`
        .mapWith(Number)
        .as('completed_steps'),
      inputTokens: sumOfAll(executionSteps.inputTokens).as('input_tokens_sum'),
      outputTokens: sumOfAll(executionSteps.outputTokens).as('output_tokens_sum'),
      costNanos: sumOfAll(executionSteps.costNanos).as('cost_nanos_sum'),
      durationMs: sql<number | null>`sum(${executionSteps.durationMs})`.mapWith(Number).as('duration_ms_sum'),
    })
    .from(executionSteps)
    .where(eq(executionSteps.executionId, page.id))
    .as('of_steps')
  return executor.select().from(page).innerJoinLateral(ofSteps, sql`true`).orderBy(desc(page.id))
}

/** Null unless it is known of each completed step. */
function sumOfAll(column: SQLWrapper) {
  return sql<number | null>`
    case when bool_and(${column} is not null or ${executionSteps.status} <> 'completed') then sum(${column}) end
  `.mapWith(Number)
}

const isDisabled = sql<boolean>`(
  coalesce(${users.banned}, false) and (${users.banExpires} is null or ${users.banExpires} > now())
)`

/** Who runs it: a run goes on with its person's rights on whatever worker. */
export async function findRunner(executor: Executor, userId: number) {
  const { id, displayUsername: username, email, role } = users
  const [runner] = await executor
    .select({ id, username, email, role, isDisabled })
    .from(users)
    .where(eq(users.id, userId))
  return runner
}

interface PromptHistoryFilter {
  promptId: number
  /** Only this person's runs; undefined for everyone's. */
  userId: number | undefined
}

const promptRunColumns = {
  id: executions.id,
  promptId: executions.promptId,
  status: executions.status,
  executedAt: executions.executedAt,
  executedBy: users.displayUsername,
  userInput: executions.userInput,
  variableValues: executions.variableValues,
  error: executions.error,
  promptVersion: executionSteps.promptVersion,
  model: executionSteps.model,
  modelId: executionSteps.modelId,
  provider: executionSteps.provider,
  template: executionSteps.template,
  inputContent: executionSteps.inputContent,
  systemPrompt: executionSteps.systemPrompt,
  aiResponse: executionSteps.aiResponse,
  resolved: executionSteps.resolved,
  inputTokens: executionSteps.inputTokens,
  outputTokens: executionSteps.outputTokens,
  costNanos: executionSteps.costNanos,
  durationMs: executionSteps.durationMs,
}

function isPromptRun({ promptId, userId }: PromptHistoryFilter): SQL | undefined {
  return and(
    eq(executions.kind, 'prompt'),
    eq(executions.promptId, promptId),
    userId === undefined ? undefined : eq(executions.userId, userId),
  )
}

const hasLongValues = isLongJson(executions.variableValues)
const hasLongOrigins = isLongJson(executionSteps.resolved)
const { template, inputContent, systemPrompt, aiResponse } = executionSteps
const clippedTexts = [executions.userInput, template, inputContent, systemPrompt, aiResponse]

/** Runs of a prompt, newest first, with the beginnings of their texts; long values and their origins are left out. */
export function listPromptRuns(
  executor: Executor,
  { before, limit, ...filter }: PromptHistoryFilter & { before: number | undefined; limit: number },
) {
  return executor
    .select({
      ...promptRunColumns,
      userInput: clipOf(executions.userInput),
      template: sql<string | null>`${clipOf(template)}`,
      inputContent: sql<string | null>`${clipOf(inputContent)}`,
      systemPrompt: clipOf(systemPrompt),
      aiResponse: sql<string | null>`${clipOf(aiResponse)}`,
      variableValues: sql<
        Record<string, string>
      >`case when ${hasLongValues} then '{}' else ${executions.variableValues} end`,
      resolved: sql<unknown>`case when ${hasLongOrigins} then null else ${executionSteps.resolved} end`,
      isClipped: sql<boolean>`${sql.join([...clippedTexts.map(isClipped), hasLongValues, hasLongOrigins], sql` or `)}`,
      contentBytes: sql<number>`coalesce(octet_length(${inputContent}), 0)`,
    })
    .from(executions)
    .innerJoin(executionSteps, eq(executionSteps.executionId, executions.id))
    .innerJoin(users, eq(users.id, executions.userId))
    .where(and(isPromptRun(filter), before === undefined ? undefined : lt(executions.id, before)))
    .orderBy(desc(executions.id))
    .limit(limit)
}

/** One run of a prompt with its whole texts. */
export async function findOptionalPromptRun(
  executor: Executor,
  { id, ...filter }: PromptHistoryFilter & { id: number },
) {
  const [found] = await executor
    .select(promptRunColumns)
    .from(executions)
    .innerJoin(executionSteps, eq(executionSteps.executionId, executions.id))
    .innerJoin(users, eq(users.id, executions.userId))
    .where(and(isPromptRun(filter), eq(executions.id, id)))
  return found
}

export type PromptRunRow = NonNullable<Awaited<ReturnType<typeof findOptionalPromptRun>>>

export async function countPromptRuns(executor: Executor, filter: PromptHistoryFilter): Promise<number> {
  const [counted] = await executor.select({ count: count() }).from(executions).where(isPromptRun(filter))
  return counted?.count ?? 0
}

/** Deletes an execution with its steps. */
export async function deleteExecution(executor: Executor, id: number): Promise<void> {
  await executor.delete(executions).where(eq(executions.id, id))
}

/** Deletes one person's history of a prompt. */
export async function deletePromptRuns(
  executor: Executor,
  { promptId, userId }: { promptId: number; userId: number },
): Promise<void> {
  await executor
    .delete(executions)
    .where(
      and(eq(executions.kind, 'prompt'), eq(executions.promptId, promptId), eq(executions.userId, userId)),
    )
}
