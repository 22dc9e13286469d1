import {
  type Chain,
  type ChainStep,
  type CreateStepRequest,
  type NamedBy,
  type ShareRole,
  type StepSettings,
  searchText,
} from '@catenary/contracts'
import { asc, isNull, or, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { chainSteps, chains } from '../../db/schema/index.ts'

/** A chain as stored, and the viewer's role in its shares. */
export type ChainRecord = Omit<Chain, 'canView' | 'canEdit' | 'canDelete' | 'canExecute' | 'steps'> & {
  ownerId: number
  visibilityEpoch: number
  shareRole: ShareRole | null
}

/** What every list reads of it. */
export type BriefChainRecord = Omit<
  ChainRecord,
  'exampleRequests' | 'asksFirst' | 'slug' | 'version' | 'labels'
>

type StepSettingChanges = Pick<CreateStepRequest, keyof StepSettings>

/** A step as stored: without what depends on the viewer. */
export type StepRecord = Omit<ChainStep, 'linkedPrompt' | 'othersNames'> & { namedBy: NamedBy }
export type StepFields = Omit<StepRecord, 'id' | 'namedBy' | keyof StepSettings> & StepSettingChanges

/** The same as columns. */
export type StepColumns = Omit<StepRecord, 'id' | keyof StepSettings> & { settings: StepSettings | null }

/** A step with the beginnings of its texts. */
export interface ListedStepRecord extends StepRecord {
  contentLength: number
  /** Its settings are left out. */
  isSettingsLong: boolean
  systemPromptLength: number | null
}

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

/** What search reads, written with what it is of. */
export function chainSearchColumns({ name, description }: { name?: string; description?: string }) {
  return {
    ...(name !== undefined && { searchName: searchText(name) }),
    ...(description !== undefined && { searchDescription: searchText(description) }),
  }
}

/** Reads for search what was not read yet: from before, copied, or saved by the version before. Called before a search. */
export async function keepChainSearch(db: Executor): Promise<void> {
  const { id, name, description, searchName, searchDescription } = chains
  const rows = await db
    .select({ id, name, description })
    .from(chains)
    .where(or(isNull(searchName), isNull(searchDescription)))
    .orderBy(asc(id))
  for (const row of rows) {
    // Only of what it still is.
    await db.execute(sql`
      update ${chains} set search_name = ${searchText(row.name)}, search_description = ${searchText(row.description)}
      where ${id} = ${row.id} and ${name} = ${row.name} and ${description} = ${row.description}`)
  }
}
