import { and, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import { clipOf, isClipped, isLongJson } from '../../../db/clipped-text.ts'
import { isNoCell } from '../../../db/evaluation-runs.ts'
import type { Executor } from '../../../db/executor.ts'
import { isSharedRun, openRunColumns } from '../../../db/open-runs.ts'
import { executionRatings, executionSteps, executions, users } from '../../../db/schema/index.ts'
import { countRuns } from './count-runs.sql.ts'
import { isRated, isRatingOf, ratingColumns } from './own-ratings.sql.ts'

interface PromptHistoryFilter {
  promptId: number
  /** Only this person's runs and what is shared; undefined for everyone's. */
  userId: number | undefined
  /** Whose ratings are read. */
  viewerId: number
  /** Only runs that the viewer rated so. */
  rated?: 'up' | 'down' | undefined
}

const promptRunColumns = {
  userId: executions.userId,
  privateValues: executions.privateValues,
  ...openRunColumns,
  id: executions.id,
  promptId: executions.promptId,
  status: executions.status,
  executedAt: executions.executedAt,
  executedBy: users.displayUsername,
  userInput: executions.userInput,
  variableValues: executions.variableValues,
  error: executions.error,
  textsDeleted: executions.textsDeleted,
  promptVersion: executionSteps.promptVersion,
  model: executionSteps.model,
  modelId: executionSteps.modelId,
  provider: executionSteps.provider,
  finishReason: executionSteps.finishReason,
  template: executionSteps.template,
  inputContent: executionSteps.inputContent,
  systemPrompt: executionSteps.systemPrompt,
  aiResponse: executionSteps.aiResponse,
  resolved: executionSteps.resolved,
  inputTokens: executionSteps.inputTokens,
  outputTokens: executionSteps.outputTokens,
  costNanos: executionSteps.costNanos,
  durationMs: executionSteps.durationMs,
  ...ratingColumns,
}

function isPromptRun({ promptId, userId, viewerId, rated }: PromptHistoryFilter): SQL | undefined {
  return and(
    eq(executions.kind, 'prompt'),
    eq(executions.promptId, promptId),
    userId === undefined ? undefined : or(eq(executions.userId, userId), isSharedRun),
    isRated({ viewerId, rated }),
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
    .leftJoin(executionRatings, isRatingOf(filter.viewerId))
    .where(and(isPromptRun(filter), isNoCell, before === undefined ? undefined : lt(executions.id, before)))
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
    .leftJoin(executionRatings, isRatingOf(filter.viewerId))
    .where(and(isPromptRun(filter), eq(executions.id, id)))
  return found
}

export type PromptRunRow = NonNullable<Awaited<ReturnType<typeof findOptionalPromptRun>>>

export function countPromptRuns(executor: Executor, filter: PromptHistoryFilter): Promise<number> {
  return countRuns(executor, and(isPromptRun(filter), isNoCell))
}
