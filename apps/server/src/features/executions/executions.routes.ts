import type { StreamLimit } from '../../platform/http/person-limits.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { RunLimit } from '../../platform/http/run-limit.ts'
import { chainRunsRoutes } from './chain-runs/chain-runs.routes.ts'
import type { Executions } from './executions.service.ts'
import { runsRoutes } from './history/runs.routes.ts'
import { promptRunsRoutes } from './prompt-runs/prompt-runs.routes.ts'
import { ratingsRoutes } from './ratings/ratings.routes.ts'
import { runSharesRoutes } from './sharing/run-shares.routes.ts'
import { watchingRoutes } from './watching/watching.routes.ts'

type Services = 'promptRuns' | 'chainRuns' | 'runs' | 'ratings' | 'runShares' | 'watching'

interface ExecutionsEdge extends Pick<Executions, Services> {
  limitRuns: RunLimit
  limitStreams: StreamLimit
}

/** The routes of all rooms. */
export function executionsRoutes(edge: ExecutionsEdge): Routes {
  const rooms = [
    promptRunsRoutes(edge),
    chainRunsRoutes(edge),
    runsRoutes(edge),
    ratingsRoutes(edge),
    runSharesRoutes(edge),
    watchingRoutes(edge),
  ]
  return (app) => {
    for (const routes of rooms) routes(app)
  }
}
