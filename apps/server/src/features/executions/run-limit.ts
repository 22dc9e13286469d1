import { toActorKey } from '../../platform/http/actor-key.ts'

/** A route's share in how many runs a person may start a minute, of prompts and chains together. */
export function limitRuns(runsPerMinute: number) {
  const limit = { max: runsPerMinute, timeWindow: '1 minute', keyGenerator: toActorKey }
  return { rateLimit: { ...limit, groupId: 'runs' } }
}
