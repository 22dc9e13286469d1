import { toActorKey } from '../actor-key.ts'
import type { HttpApp, RunLimit } from '../routes.ts'

/** The one limit on how many runs a person may start a minute, of prompts and chains together. */
export function createRunLimit(app: HttpApp, { runsPerMinute }: { runsPerMinute: number }): RunLimit {
  return app.rateLimit({
    max: runsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: toActorKey,
    groupId: 'runs',
  })
}
