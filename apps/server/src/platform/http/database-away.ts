import type { FastifyInstance } from 'fastify'
import { databaseAway } from '../../database-failure.ts'

const NEEDS_DATABASE = /^\/(api|v1)\//

/** While the database answers nobody, calls are refused at once: they would wait for it, and with them who comes after. */
export function refuseWhileDatabaseIsAway(
  app: FastifyInstance,
  { isDatabaseAway = () => false }: { isDatabaseAway?: () => boolean },
): void {
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (isDatabaseAway() && NEEDS_DATABASE.test(routeOptions.url ?? '')) throw databaseAway()
  })
}
