import { verifyActivity } from '../database/statements/activity-chain.ts'
import { StartError } from '../errors.ts'
import { explainActivity } from '../keeping/activity/explain-activity.ts'
import { withDatabase } from '../keeping/upgrade/with-database.ts'
import type { Ended } from './say.ts'

export function verifyOwnActivity(): Promise<Ended> {
  return withDatabase(async ({ pool }) => {
    const verdict = await verifyActivity(pool)
    if (verdict === null)
      throw new StartError('There is no activity yet: start this version once, which begins it.')
    return { text: explainActivity(verdict), isWell: verdict.problem === null }
  })
}
