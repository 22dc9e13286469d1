import type { FirstSteps, User } from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import {
  findEnd,
  findNewestChainId,
  findNewestPromptId,
  findRuns,
  hasOwnChain,
  hasUsedToken,
  saveEnd,
} from './first-steps.sql.ts'

/** Which of the four first steps a newcomer has done; only that they are over is stored. */
export async function findFirstSteps({ db, models }: Context, user: User): Promise<FirstSteps> {
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
}

export const endFirstSteps = ({ db }: Context, user: User): Promise<void> => saveEnd(db, user.id)

const OVER = {
  isOver: true,
  done: { model: true, run: true, chain: true, code: true },
  promptId: null,
  chainId: null,
} as const
