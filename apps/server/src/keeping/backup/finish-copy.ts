import type pg from 'pg'
import { deleteAgain } from '../deletions/delete-again.ts'
import { makeQuiet } from './quiet-copy.ts'
import type { Restored, RestoreOptions } from './restore-stages.ts'

interface FinishOptions extends Required<Pick<RestoreOptions, 'resumeWork'>> {
  client: Pick<pg.ClientBase, 'query'>
  deleted: NonNullable<RestoreOptions['deleted']>
  takenAt: string
}

export async function finishCopy({
  client,
  resumeWork,
  deleted,
  takenAt,
}: FinishOptions): Promise<Pick<Restored, 'pending' | 'again'>> {
  await doubtCalls(client)
  await withdrawAsks(client)
  const again = await deleteAgain({ client, records: deleted, takenAt: new Date(takenAt) })
  return { again, pending: await makeQuiet({ client, resumeWork }) }
}

const WITHDRAWN =
  'Its installation was restored from a backup, so nobody is asked any more. Resume it to ask again.'

/**
 * A service may have had calls that the copy knows nothing of: it sends none of a run under way that its runner did not
 * say to send again.
 */
async function doubtCalls(client: FinishOptions['client']): Promise<void> {
  await client.query(
    `insert into tool_calls (execution_id, position, item, attempt, key, state)
      select run.id, (step ->> 'position')::integer, -1, run.attempt, gen_random_uuid(), 'copied'
      from executions as run cross join lateral json_array_elements(run.plan) as step
      where run.status = 'running' and run.plan is not null and step ->> 'kind' = 'tool'
    on conflict (execution_id, position, item) do nothing`,
  )
  await client.query(
    `update tool_calls set state = 'copied' from executions as run
      where run.id = execution_id and run.status = 'running'`,
  )
}

/**
 * People were asked by the installation that was copied: it may have their answers, and may still run. Of unsure calls
 * each runner still says what they know.
 */
async function withdrawAsks(client: FinishOptions['client']): Promise<void> {
  await client.query(
    `with stopped as (
      update executions set status = 'cancelled', error = $1, error_code = 'cancelled', finished_at = now(),
        waiting_for = null, lease_until = null, attempt = attempt + 1
      where status = 'running' and waiting_for is not null and not waiting_for ? 'unsure'
    ) update asks set status = 'withdrawn', closed_at = now() where status = 'open' and unsure is null`,
    [WITHDRAWN],
  )
}
