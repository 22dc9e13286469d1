import type { Routes } from '../../platform/http/routes.ts'
import { chainRunsRoutes } from './chain-runs/chain-runs.routes.ts'
import type { Executions } from './executions.service.ts'
import { runsRoutes } from './history/runs.routes.ts'
import { promptRunsRoutes } from './prompt-runs/prompt-runs.routes.ts'
import { ratingsRoutes } from './ratings/ratings.routes.ts'
import { runSharesRoutes } from './sharing/run-shares.routes.ts'
import { watchingRoutes } from './watching/watching.routes.ts'

type Services = 'promptRuns' | 'chainRuns' | 'runs' | 'ratings' | 'runShares' | 'watching'

/** The routes of all rooms. */
export function executionsRoutes(services: Pick<Executions, Services>): Routes {
  const rooms = [
    promptRunsRoutes(services),
    chainRunsRoutes(services),
    runsRoutes(services),
    ratingsRoutes(services),
    runSharesRoutes(services),
    watchingRoutes(services),
  ]
  return (app, limits) => {
    for (const routes of rooms) routes(app, limits)
  }
}
