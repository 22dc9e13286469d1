import { type SQL, sql } from 'drizzle-orm'
import { asciiKey } from '../schema/columns.ts'
import { runShares, runSteps, runs } from '../schema/index.ts'

const takesMore = sql`exists (
  select from ${runSteps} as step
  where step.execution_id = ${runs.id} and (
    step.resolved is null
    or exists (
      select from jsonb_each(step.resolved) as origin
      where origin.value ->> 'type' not in ('typed', 'none')
        and origin.value -> 'isPrivate' is distinct from 'false'::jsonb
        and ${asciiKey(sql`origin.key`)} <> all (share.names)
    )
  )
)`

const isCovered = sql`exists (
  select from ${runShares} as share
  where share.user_id = ${runs.userId}
    and (share.chain_id = ${runs.chainId} or share.prompt_id = ${runs.promptId})
    and ${runs.privateValues} is not null
    and (${runs.takenFrom} -> 'isUnnamed') is distinct from 'true'::jsonb
    and (not ${runs.privateValues} or not ${takesMore})
)`

/** How the run's owner shares it with people who see its chain or prompt: this run, all their runs, or none. */
export const sharing: SQL<'run' | 'all' | 'none'> = sql`case
  when ${runs.sharedAttempt} = ${runs.attempt} then 'run'
  when ${isCovered} then 'all'
  else 'none'
end`

/** Whether others than its starter may read the run's texts, as far as they see it (D59): the one rule for all. */
export const isOpenRun: SQL<boolean> = sql`(
  ${runs.status} <> 'running' and (${runs.privateValues} is false or ${sharing} <> 'none')
)`

/**
 * Whether others than its starter learn of the run only that it is there (D68). While it goes on a share does not count,
 * as it may yet take in what the share does not cover.
 */
export const isKeptRun: SQL<boolean> = sql`(${runs.privateValues} is not false and not ${isOpenRun})`

/** Of its runner's will alone others see that it is there once they may read it. */
export const isSharedRun: SQL = sql`(${sharing} <> 'none' and not ${isKeptRun})`

export const openRunColumns = {
  sharing: sharing.as('sharing'),
  isOpen: isOpenRun.as('is_open'),
  isKept: isKeptRun.as('is_kept'),
}
