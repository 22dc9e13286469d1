import type { PreviewStepRequest, StepPreview, User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'

interface PreviewRequest extends PreviewStepRequest {
  chainId: number
  stepId: number
  user: User
  signal: AbortSignal
}

export async function previewStep(_ctx: Context, _request: PreviewRequest): Promise<StepPreview> {
  throw new AppError('not_found', 'Step not found')
}
