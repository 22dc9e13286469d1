import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors.ts'
import type { Move } from '../../database-state.ts'
import { READING } from './full-disk.ts'

const SENTENCES = {
  moving: 'Catenary is being moved to another database. You can save and run again in a few minutes.',
  moved:
    'Catenary has moved to another database, so this copy is read-only. Ask an administrator for the new address.',
}
const RETRY_SECONDS = 30

export function refuseWritesWhileMoving(app: FastifyInstance, { move }: { move?: Move | undefined }): void {
  app.addHook('onRequest', async ({ method }) => {
    const state = move?.current() ?? null
    if (state === null || READING.has(method)) return
    throw new AppError('unavailable', SENTENCES[state], { retryAfter: RETRY_SECONDS })
  })
}
