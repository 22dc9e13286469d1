import type { AskedSettings, Turn } from '@catenary/contracts'
import { and, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import { runRatings, runSteps, runs, users } from '../../../database/schema/index.ts'
import { clipOf, isClipped, isLongJson } from '../../../database/statements/clipped-text.ts'
import { isNotCell } from '../../../database/statements/evaluation-runs.ts'
import type { Executor } from '../../../database/statements/executor.ts'
import { isSharedRun, openRunColumns } from '../../../database/statements/open-runs.ts'
import { countRuns } from './count-runs.sql.ts'
import { isRated, isRatingOf, ratingColumns } from './own-ratings.sql.ts'

interface PromptHistoryFilter {
  promptId: number
  userId: number | undefined
  viewerId: number
  rated?: 'up' | 'down' | undefined
}

const promptRunColumns = {
  userId: runs.userId,
  privateValues: runs.privateValues,
  ...openRunColumns,
  id: runs.id,
  promptId: runs.promptId,
  status: runs.status,
  executedAt: runs.executedAt,
  executedBy: users.displayUsername,
  userInput: runs.userInput,
  variableValues: runs.variableValues,
  error: runs.error,
  textsDeleted: runs.textsDeleted,
  promptVersion: runSteps.promptVersion,
  model: runSteps.model,
  modelId: runSteps.modelId,
  provider: runSteps.provider,
  limitWaitMs: runSteps.limitWaitMs,
  fallback: runSteps.fallback,
  finishReason: runSteps.finishReason,
  template: runSteps.template,
  inputContent: runSteps.inputContent,
  systemPrompt: runSteps.systemPrompt,
  messages: runSteps.messages,
  settings: runSteps.settings,
  aiResponse: runSteps.aiResponse,
  structured: runSteps.structured,
  resolved: runSteps.resolved,
  attachments: runSteps.attachments,
  inputTokens: runSteps.inputTokens,
  outputTokens: runSteps.outputTokens,
  cachedTokens: runSteps.cachedTokens,
  costNanos: runSteps.costNanos,
  savedNanos: runSteps.savedNanos,
  durationMs: runSteps.durationMs,
  ...ratingColumns,
}

function isPromptRun({ promptId, userId, viewerId, rated }: PromptHistoryFilter): SQL | undefined {
  return and(
    eq(runs.kind, 'prompt'),
    eq(runs.promptId, promptId),
    userId === undefined ? undefined : or(eq(runs.userId, userId), isSharedRun),
    isRated({ viewerId, rated }),
  )
}

const hasLongValues = isLongJson(runs.variableValues)
const hasLongOrigins = isLongJson(runSteps.resolved)
const hasLongTurns = isLongJson(runSteps.messages)
const hasLongSettings = isLongJson(runSteps.settings)
const hasLongParts = [hasLongValues, hasLongOrigins, hasLongTurns, hasLongSettings]
const { template, inputContent, systemPrompt, aiResponse } = runSteps
const clippedTexts = [runs.userInput, template, inputContent, systemPrompt, aiResponse]

export function listPromptRuns(
  db: Executor,
  { before, limit, ...filter }: PromptHistoryFilter & { before: number | undefined; limit: number },
) {
  return db
    .select({
      ...promptRunColumns,
      userInput: clipOf(runs.userInput),
      template: sql<string | null>`${clipOf(template)}`,
      inputContent: sql<string | null>`${clipOf(inputContent)}`,
      systemPrompt: clipOf(systemPrompt),
      aiResponse: sql<string | null>`${clipOf(aiResponse)}`,
      variableValues: sql<
        Record<string, string>
      >`case when ${hasLongValues} then '{}' else ${runs.variableValues} end`,
      messages: sql<Turn[] | null>`case when not ${hasLongTurns} then ${runSteps.messages} end`,
      settings: sql<AskedSettings | null>`case when not ${hasLongSettings} then ${runSteps.settings} end`,
      resolved: sql<unknown>`case when ${hasLongOrigins} then null else ${runSteps.resolved} end`,
      isClipped: sql<boolean>`${sql.join([...clippedTexts.map(isClipped), ...hasLongParts], sql` or `)}`,
      contentBytes: sql<number>`coalesce(octet_length(${inputContent}), 0)`,
    })
    .from(runs)
    .innerJoin(runSteps, eq(runSteps.executionId, runs.id))
    .innerJoin(users, eq(users.id, runs.userId))
    .leftJoin(runRatings, isRatingOf(filter.viewerId))
    .where(and(isPromptRun(filter), isNotCell, before === undefined ? undefined : lt(runs.id, before)))
    .orderBy(desc(runs.id))
    .limit(limit)
}

export async function findOptionalPromptRun(
  db: Executor,
  { id, ...filter }: PromptHistoryFilter & { id: number },
) {
  const [found] = await db
    .select(promptRunColumns)
    .from(runs)
    .innerJoin(runSteps, eq(runSteps.executionId, runs.id))
    .innerJoin(users, eq(users.id, runs.userId))
    .leftJoin(runRatings, isRatingOf(filter.viewerId))
    .where(and(isPromptRun(filter), eq(runs.id, id)))
  return found
}

export type PromptRunRow = NonNullable<Awaited<ReturnType<typeof findOptionalPromptRun>>>

export function countPromptRuns(db: Executor, filter: PromptHistoryFilter): Promise<number> {
  return countRuns(db, and(isPromptRun(filter), isNotCell))
}
