import type { FirstSteps, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { Models } from '../../platform/models/models.ts'
import {
  findEnd,
  findNewestChainId,
  findNewestPromptId,
  findRuns,
  hasOwnChain,
  hasUsedToken,
  saveEnd,
} from './first-steps.repository.ts'

export type FirstStepsService = ReturnType<typeof createFirstStepsService>

interface FirstStepsDeps {
  db: Database
  models: Pick<Models, 'isSandbox'>
}

/** Which of the four first steps a newcomer has done; only that they are over is stored. */
export function createFirstStepsService({ db, models }: FirstStepsDeps) {
  return {
    async find(user: User): Promise<FirstSteps> {
      const hasKey = !models.isSandbox()
      if (await findEnd(db, user.id)) return { ...OVER, hasKey }
      const runs = await findRuns(db, user.id)
      // Keys are set where the program runs, by an administrator.
      const model = hasKey || user.role !== 'admin' || runs.prompt || runs.chain
      const chain = runs.chain || (await hasOwnChain(db, user.id))
      const code = runs.code || (await hasUsedToken(db, user.id))
      return {
        isOver: false,
        done: { model, run: runs.prompt, chain, code },
        hasKey,
        promptId: await findNewestPromptId(db, user.id),
        chainId: await findNewestChainId(db, user.id),
      }
    },

    /** For good. */
    end: (user: User): Promise<void> => saveEnd(db, user.id),
  }
}

const OVER = {
  isOver: true,
  done: { model: true, run: true, chain: true, code: true },
  promptId: null,
  chainId: null,
} as const
