import type { FastifyInstance } from 'fastify'
import { diskFull } from '../../../database/failures/database-failure.ts'
import type { Room } from '../../database-state.ts'

export const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It writes little, and nobody could free space without it. */
    whileDiskFull?: 'served'
  }
}

export function refuseWritesOnFullDisk(app: FastifyInstance, { disk }: { disk?: Room | undefined }): void {
  app.addHook('onRequest', async ({ method, routeOptions }) => {
    if (disk === undefined || !disk.isFull() || READING.has(method)) return
    if (routeOptions.config.whileDiskFull !== 'served' || disk.isOut()) throw diskFull()
    disk.makeRoom()
  })
}
