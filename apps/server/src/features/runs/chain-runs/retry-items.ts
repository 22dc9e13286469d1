import type { StartedRun, User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { findChainToResume } from '../history/change-run.ts'

interface RetryRequest {
  id: number
  position: number
  user: User
  model?: string | undefined
  fills?: readonly string[] | undefined
}

export async function retryItems(ctx: Context, { id, user }: RetryRequest): Promise<StartedRun> {
  await findChainToResume(ctx, { id, user })
  throw new AppError('conflict', 'No item of this step has failed')
}
