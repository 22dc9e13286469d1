import type { FastifyInstance } from 'fastify'
import { databaseAway } from '../../database-failure.ts'

/** What is known of whether the database answers. */
export interface Pulse {
  /** It has answered nobody for a while. */
  isAway(): boolean
  /** For how long altogether it has answered nobody. */
  silentMs(): number
}

const NEEDS_DATABASE = /^\/(api|v1)\//

/** While the database answers nobody, calls are refused at once: they would wait for it, and with them who comes after. */
export function refuseWhileDatabaseIsAway(
  app: FastifyInstance,
  { pulse }: { pulse?: Pulse | undefined },
): void {
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (pulse?.isAway() && NEEDS_DATABASE.test(routeOptions.url ?? '')) throw databaseAway()
  })
}
