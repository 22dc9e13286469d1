import { toActorKey } from '../actor-key.ts'
import type { HttpApp, RunLimit } from '../routes.ts'

export function createRunLimit(app: HttpApp, { runsPerMinute }: { runsPerMinute: number }): RunLimit {
  return app.rateLimit({
    max: runsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: toActorKey,
    groupId: 'runs',
  })
}
