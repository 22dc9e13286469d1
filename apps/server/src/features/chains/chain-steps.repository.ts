import type { ChainStep } from '@catenary/contracts'
import { asc, eq } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { chainSteps } from '../../db/schema/index.ts'

/** A step as stored: without what depends on who looks at it. */
export type StepRecord = Omit<ChainStep, 'linkedPrompt'>
export type StepFields = Omit<StepRecord, 'id'>

const stepColumns = {
  id: chainSteps.id,
  position: chainSteps.position,
  title: chainSteps.title,
  content: chainSteps.content,
  model: chainSteps.model,
  outputVariableName: chainSteps.outputVariableName,
  promptId: chainSteps.promptId,
  systemPrompt: chainSteps.systemPrompt,
  temperature: chainSteps.temperature,
  maxTokens: chainSteps.maxTokens,
}

const inOrder = [asc(chainSteps.position), asc(chainSteps.id)]

/** In the order in which they run. */
export function listSteps(executor: Executor, chainId: number): Promise<StepRecord[]> {
  return executor
    .select(stepColumns)
    .from(chainSteps)
    .where(eq(chainSteps.chainId, chainId))
    .orderBy(...inOrder)
}

/** In the order in which they run, without their texts. */
export function listStepNames(executor: Executor, chainId: number) {
  return executor
    .select({ id: chainSteps.id, outputVariableName: chainSteps.outputVariableName })
    .from(chainSteps)
    .where(eq(chainSteps.chainId, chainId))
    .orderBy(...inOrder)
}

export async function createStep(
  executor: Executor,
  step: StepFields & { chainId: number },
): Promise<StepRecord> {
  const [created] = await executor.insert(chainSteps).values(step).returning(stepColumns)
  if (created === undefined) throw new Error('The insert returned no row')
  return created
}
