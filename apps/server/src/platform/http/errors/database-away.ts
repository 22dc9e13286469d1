import type { FastifyInstance } from 'fastify'
import { databaseAway } from '../../../database/failures/database-failure.ts'
import type { Pulse } from '../../database-state.ts'

const NEEDS_DATABASE = /^\/(api|v1)\//

/** Calls would wait for the database, and block later calls. */
export function refuseWhileDatabaseIsAway(
  app: FastifyInstance,
  { pulse }: { pulse?: Pulse | undefined },
): void {
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (pulse?.isAway() && NEEDS_DATABASE.test(routeOptions.url ?? '')) throw databaseAway()
  })
}
