import type { FastifyInstance } from 'fastify'
import { databaseAway } from '../../../database-failure.ts'

/** Whether the database answers, as far as is known. */
export interface Pulse {
  /** It has not answered for a while. */
  isAway(): boolean
  /** Total time without any answer. */
  silentMs(): number
}

const NEEDS_DATABASE = /^\/(api|v1)\//

/** Refuses calls at once while the database does not answer: they would wait for it, and block later calls. */
export function refuseWhileDatabaseIsAway(
  app: FastifyInstance,
  { pulse }: { pulse?: Pulse | undefined },
): void {
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (pulse?.isAway() && NEEDS_DATABASE.test(routeOptions.url ?? '')) throw databaseAway()
  })
}
