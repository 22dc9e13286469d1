import type { FastifyInstance } from 'fastify'
import { diskFull } from '../../database-failure.ts'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** While the disk is full reads go on, and what would write is refused before it begins. */
export function refuseWritesOnFullDisk(
  app: FastifyInstance,
  { isDiskFull = () => false }: { isDiskFull?: () => boolean },
): void {
  app.addHook('onRequest', async (request) => {
    if (isDiskFull() && !READING.has(request.method)) throw diskFull()
  })
}
