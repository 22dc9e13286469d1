import { asc, sql } from 'drizzle-orm'
import { chainSteps, chains } from '../../db/schema/index.ts'

/** What a save of a chain may set. */
export type ChainFields = Omit<
  typeof chains.$inferInsert,
  'ownerId' | 'version' | 'revision' | 'createdAt' | 'updatedAt'
>

/** The next revision of a saved chain. */
export const nextRevision = { revision: sql`${chains.revision} + 1`, updatedAt: sql`now()` }

/** The columns of a step; versions of its chain store each under its key. */
export const stepColumns = {
  id: chainSteps.id,
  position: chainSteps.position,
  title: chainSteps.title,
  content: chainSteps.content,
  model: chainSteps.model,
  fallbackModel: chainSteps.fallbackModel,
  outputVariableName: chainSteps.outputVariableName,
  promptId: chainSteps.promptId,
  promptLabel: chainSteps.promptLabel,
  promptVersion: chainSteps.promptVersion,
  systemPrompt: chainSteps.systemPrompt,
  temperature: chainSteps.temperature,
  maxTokens: chainSteps.maxTokens,
  settings: chainSteps.settings,
}

export const stepsInOrder = [asc(chainSteps.position), asc(chainSteps.id)]
