import {
  type Chain,
  type ChainStep,
  type CreateStepRequest,
  type NamedBy,
  OWN_FIELDS,
  type ShareRole,
  type StepSettings,
  type StepTool,
  searchText,
} from '@catenary/contracts'
import { asc, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { chainSteps, chains } from '../../database/schema/index.ts'
import { clipOf, isLongJson } from '../../database/statements/clipped-text.ts'
import type { Executor } from '../../database/statements/executor.ts'

export type ChainRecord = Omit<Chain, 'canView' | 'canEdit' | 'canDelete' | 'canExecute' | 'steps'> & {
  ownerId: number
  visibilityEpoch: number
  shareRole: ShareRole | null
}

export type BriefChainRecord = Omit<
  ChainRecord,
  'exampleRequests' | 'asksFirst' | 'slug' | 'version' | 'labels'
>

/** Sealed values are kept apart. */
type StepSettingChanges = Omit<Pick<CreateStepRequest, keyof StepSettings>, 'tool'> & {
  tool?: StepTool | null | undefined
}

export type StepRecord = Omit<ChainStep, 'linkedPrompt' | 'othersNames'> & { namedBy: NamedBy }
export type StepFields = Omit<StepRecord, 'id' | 'namedBy' | keyof StepSettings> & StepSettingChanges
export type NewStepFields = Omit<StepFields, 'model'> & { model?: string | null | undefined }

export type StepColumns = Omit<StepRecord, 'id' | keyof StepSettings> & { settings: StepSettings | null }

export interface ListedStepRecord extends StepRecord {
  contentLength: number
  isSettingsLong: boolean
  systemPromptLength: number | null
}

export type ChainFields = Omit<
  typeof chains.$inferInsert,
  'ownerId' | 'version' | 'revision' | 'createdAt' | 'updatedAt'
>

export const nextRevision = { revision: sql`${chains.revision} + 1`, updatedAt: sql`now()` }

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

/** What lists show of settings that are too long for them: what the step does, and when. */
export const flowOfLong = (settings: SQLWrapper): SQL => sql`json_strip_nulls(json_build_object(
  'kind', ${settings} -> 'kind', 'ifItFails', ${settings} -> 'ifItFails', 'forEach', ${settings} -> 'forEach',
  'onlyIf', case when not ${isLongJson(sql`(${settings} -> 'onlyIf')`)} then ${settings} -> 'onlyIf' end,
  ${sql.join(
    OWN_FIELDS.map(({ field }) => clippedField(sql`${settings} -> ${sql.raw(`'${field}'`)}`, field)),
    sql`, `,
  )}
))`

/** Where a model’s stop texts have its place, there is no text. */
const clippedField = (own: SQL, field: string): SQL => sql`${sql.raw(`'${field}'`)},
  case when ${own} ->> 'text' is not null then (${own})::jsonb || jsonb_build_object('text', ${clipOf(sql`(${own} ->> 'text')`)}) end`

export const stepsInOrder = [asc(chainSteps.position), asc(chainSteps.id)]

export function chainSearchColumns({ name, description }: { name?: string; description?: string }) {
  return {
    ...(name !== undefined && { searchName: searchText(name) }),
    ...(description !== undefined && { searchDescription: searchText(description) }),
  }
}

/** Fills in missing search texts: of old rows, of copies, and of what the version before saved. Called before a search. */
export async function keepChainSearch(db: Executor): Promise<void> {
  const { id, name, description, searchName, searchDescription } = chains
  const rows = await db
    .select({ id, name, description })
    .from(chains)
    .where(or(isNull(searchName), isNull(searchDescription)))
    .orderBy(asc(id))
  for (const row of rows) {
    await db.execute(sql`
      update ${chains} set search_name = ${searchText(row.name)}, search_description = ${searchText(row.description)}
      where ${id} = ${row.id} and ${name} = ${row.name} and ${description} = ${row.description}`)
  }
}
