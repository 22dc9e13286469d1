import type { StepAsk, StepSettings } from '@catenary/contracts'
import { and, eq, sql } from 'drizzle-orm'
import { chainSteps } from '../../database/schema/index.ts'
import { clipOf, isLongJson } from '../../database/statements/clipped-text.ts'
import { copyRows } from '../../database/statements/copy-rows.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { namedByCopyOf, namedByOf } from '../../database/statements/named-by.sql.ts'
import { withSettings } from '../records/records.ts'
import {
  flowOfLong,
  type ListedStepRecord,
  type StepColumns,
  type StepRecord,
  stepColumns,
  stepsInOrder,
} from './chain-rows.sql.ts'

export interface StepOfChain {
  id: number
  chainId: number
}

function isStep({ id, chainId }: StepOfChain) {
  return and(eq(chainSteps.id, id), eq(chainSteps.chainId, chainId))
}

const selected = { ...stepColumns, namedBy: namedByOf(chainSteps) }

export async function readSteps(db: Executor, chainId: number): Promise<StepRecord[]> {
  const rows = await db
    .select(selected)
    .from(chainSteps)
    .where(eq(chainSteps.chainId, chainId))
    .orderBy(...stepsInOrder)
  return rows.map(withSettings)
}

export async function listSteps(db: Executor, chainId: number): Promise<ListedStepRecord[]> {
  const { content, contentLength, systemPrompt, systemPromptLength, settings } = chainSteps
  const isSettingsLong = isLongJson(settings)
  const rows = await db
    .select({
      ...selected,
      content: clipOf(content),
      contentLength,
      systemPrompt: sql<string | null>`${clipOf(systemPrompt)}`,
      systemPromptLength,
      settings: sql<StepSettings | null>`case when ${isSettingsLong} then ${flowOfLong(settings)} else ${settings} end`,
      isSettingsLong,
    })
    .from(chainSteps)
    .where(eq(chainSteps.chainId, chainId))
    .orderBy(...stepsInOrder)
  return rows.map(withSettings)
}

export function listStepNames(db: Executor, chainId: number) {
  const { id, position, promptId, outputVariableName } = stepColumns
  return db
    .select({
      id,
      position,
      promptId,
      outputVariableName,
      namedBy: namedByOf(chainSteps),
      ask: sql<StepAsk | null>`${chainSteps.settings} -> 'ask'`,
    })
    .from(chainSteps)
    .where(eq(chainSteps.chainId, chainId))
    .orderBy(...stepsInOrder)
}

export async function findOptionalStep(db: Executor, step: StepOfChain): Promise<StepRecord | undefined> {
  const [found] = await db.select(selected).from(chainSteps).where(isStep(step))
  return found && withSettings(found)
}

export async function insertStep(db: Executor, step: StepColumns & { chainId: number }): Promise<StepRecord> {
  const [created] = await db
    .insert(chainSteps)
    .values(step)
    .returning({ ...stepColumns, namedBy: chainSteps.namedBy })
  if (created === undefined) throw new Error('The insert returned no row')
  return withSettings(created)
}

export async function updateStepRow(
  db: Executor,
  { id, chainId, ...fields }: Partial<StepColumns> & StepOfChain,
): Promise<StepRecord> {
  const [updated] = await db
    .update(chainSteps)
    .set({ ...fields, updatedAt: sql`now()` })
    .where(isStep({ id, chainId }))
    .returning({ ...stepColumns, namedBy: chainSteps.namedBy })
  if (updated === undefined) throw new Error(`There is no step ${id} in chain ${chainId}`)
  return withSettings(updated)
}

export async function deleteStepRow(db: Executor, step: StepOfChain): Promise<boolean> {
  const { rowCount } = await db.delete(chainSteps).where(isStep(step))
  return rowCount === 1
}

/** Numbers the steps of the chain from 0 in the order of the ids. */
export async function updateStepPositions(
  db: Executor,
  { chainId, stepIds }: { chainId: number; stepIds: number[] },
): Promise<void> {
  await db.execute(sql`
    update ${chainSteps} set position = wanted.number - 1
    from unnest(${sql.param(stepIds)}::int[]) with ordinality as wanted (id, number)
    where ${chainSteps.id} = wanted.id and ${chainSteps.chainId} = ${chainId}`)
}

/** Links to other than the given prompts end, with their label and version; the texts stay. */
const withoutPeople = sql`case when ${chainSteps.settings} -> 'ask' is null then ${chainSteps.settings}
  else jsonb_set(jsonb_set(${chainSteps.settings}::jsonb, '{ask,people}', '[]'), '{ask,groups}', '[]')::json end`

export async function copySteps(
  db: Executor,
  {
    fromChainId,
    toChainId,
    promptIds,
    userId,
    keepsPeople,
  }: {
    fromChainId: number
    toChainId: number
    promptIds: number[]
    userId: number
    /** Whom its steps ask; otherwise that is asked for. */
    keepsPeople: boolean
  },
): Promise<void> {
  const { promptId } = chainSteps
  const isKept = sql`${promptId} = any(${sql.param(promptIds)}::int[])`
  await copyRows(db, {
    table: chainSteps,
    where: eq(chainSteps.chainId, fromChainId),
    orderBy: stepsInOrder,
    given: {
      chainId: toChainId,
      promptId: sql`case when ${isKept} then ${promptId} end`,
      namedBy: namedByCopyOf(chainSteps, userId),
      ...(!keepsPeople && { settings: withoutPeople }),
    },
  })
}
