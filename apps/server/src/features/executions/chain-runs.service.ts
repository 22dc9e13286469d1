import type { StartedExecution, User } from '@catenary/contracts'
import type { ChainsService, RunnableChain } from '../chains/chains.service.ts'
import type { ChainSnapshot, NewChainRun, PlannedStep } from './chain-runs.repository.ts'
import type { Engine } from './engine.service.ts'
import { type ChainInput, toStoredInput } from './run-input.ts'

export interface ChainRunsDeps {
  engine: Engine
  chains: Pick<ChainsService, 'openForRun'>
}

interface StartRequest {
  /** Whose rights and variables count. */
  user: User
  chainId: number
  input?: ChainInput | undefined
  trigger?: NewChainRun['trigger']
  apiTokenId?: number | null
}

export type ChainRunsService = ReturnType<typeof createChainRunsService>

/** The door to the engine for whoever runs a chain: a person, a schedule, a token. */
export function createChainRunsService({ engine, chains }: ChainRunsDeps) {
  return {
    /** Records the run, with the chain and its linked prompts as they are now (D29, D30); it goes on by itself. */
    async start({
      user,
      chainId,
      input = '',
      trigger = 'manual',
      apiTokenId = null,
    }: StartRequest): Promise<StartedExecution> {
      const chain = await chains.openForRun({ id: chainId, user })
      const plan = { snapshot: toSnapshot(chain), steps: toPlannedSteps(chain) }
      const record = { userId: user.id, chainId, trigger, apiTokenId, ...toStoredInput(input), ...plan }
      const { id, executedAt } = await engine.chains.start({ user, record })
      return { id, chainId, status: 'running', executedAt: executedAt.toISOString() }
    },
  }
}

function toSnapshot({ name, revision, steps }: RunnableChain): ChainSnapshot {
  return {
    name,
    revision,
    steps: steps.map(({ id, temperature, maxTokens }) => ({ id, temperature, maxTokens })),
  }
}

function toPlannedSteps({ steps }: RunnableChain): PlannedStep[] {
  return steps.map(({ content, systemPrompt, ...step }, position) => ({
    position,
    title: step.title,
    model: step.model,
    promptId: step.promptId,
    promptVersion: step.promptVersion,
    template: content,
    systemPrompt: systemPrompt ?? '',
    outputVariableName: step.outputVariableName,
  }))
}
