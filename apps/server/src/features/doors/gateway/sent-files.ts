import { kindOfMedia } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { asPart } from '../../activity/activity.ts'
import { storeMedia } from '../../files/files.ts'
import type { SentFile } from '../../runs/runs.ts'
import { refused } from './gateway-error.ts'
import type { SentAttachment } from './wires/read-request.ts'
import type { ChainRequest } from './wires/wire.ts'

interface Sending {
  request: Pick<ChainRequest, 'attached'>
  userId: number
  signal: AbortSignal
}

/** The images and documents of a request, each kept for its person once it has a place. */
export function sentFilesOf(
  ctx: Context,
  { request: { attached = [] }, userId, signal }: Sending,
): SentFile[] {
  return attached.map(({ kind, param, ...file }) => ({
    kind,
    param,
    async store() {
      const stored = await storeMedia(asPart(ctx), { ...file, userId, signal }).catch((error: unknown) =>
        throwNamed(error, param),
      )
      if (kindOfMedia(stored.mediaType) === kind) return stored.filePath
      throw refused(param, `it is not a ${kind}`)
    },
  }))
}

function throwNamed(error: unknown, param: SentAttachment['param']): never {
  // What the address answered is the caller's to mend.
  if (error instanceof AppError && ['invalid', 'too_large', 'upstream'].includes(error.code)) {
    throw refused(param, error.message)
  }
  throw error
}
