import { CHAIN_STEPS_MAX, type ChainStep, type User } from '@catenary/contracts'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../platform/errors.ts'
import type { PromptsService } from '../prompts/prompts.service.ts'
import type { ChainAccess, ChainChange } from './chain-access.service.ts'
import { createStep, listStepNames, type StepFields, type StepRecord } from './chain-steps.repository.ts'
import { updateChain } from './chains.repository.ts'

export type ChainStepsService = ReturnType<typeof createChainStepsService>

interface ChainStepsDeps {
  db: Database
  access: ChainAccess
  prompts: Pick<PromptsService, 'listVisible'>
}

export function createChainStepsService({ db, access, prompts }: ChainStepsDeps) {
  /** Throws `invalid` unless the user can see the prompt. */
  async function requirePrompt(tx: Transaction, { promptId, user }: { promptId: number | null; user: User }) {
    if (promptId === null) return
    const visible = await prompts.listVisible(tx, { ids: [promptId], user })
    if (!visible.has(promptId)) throw invalid('promptId', `There is no prompt with the id ${promptId}`)
  }

  async function toStep(tx: Executor, { step, user }: { step: StepRecord; user: User }): Promise<ChainStep> {
    const [shown] = await access.toSteps(tx, { steps: [step], viewer: user })
    return shown ?? { ...step, linkedPrompt: null }
  }

  return {
    add({ fields, ...change }: ChainChange & { fields: StepFields }): Promise<ChainStep> {
      return db.transaction(async (tx) => {
        const { id: chainId } = await access.openForEdit(tx, change)
        const others = await listStepNames(tx, chainId)
        requireRoom(others.length)
        requireFreeName({ name: fields.outputVariableName, others })
        await requirePrompt(tx, { promptId: fields.promptId, user: change.user })
        const step = await createStep(tx, { ...fields, chainId })
        await updateChain(tx, { id: chainId })
        return toStep(tx, { step, user: change.user })
      })
    },
  }
}

function requireRoom(count: number): void {
  if (count < CHAIN_STEPS_MAX) return
  throw new AppError('invalid', `A chain has at most ${CHAIN_STEPS_MAX} steps`)
}

/** Output names are unique in their chain without regard to case (D32). */
function requireFreeName({ name, others }: { name: string; others: { outputVariableName: string }[] }): void {
  const taken = others.some((other) => other.outputVariableName.toLowerCase() === name.toLowerCase())
  if (taken) throw invalid('outputVariableName', `Another step of this chain has the output ${name}`)
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid', message, { details: [{ path, message }] })
}
