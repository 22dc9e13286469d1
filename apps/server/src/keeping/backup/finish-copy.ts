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
  await withdrawAsks(client)
  await stopCalls(client)
  const again = await deleteAgain({ client, records: deleted, takenAt: new Date(takenAt) })
  return { again, pending: await makeQuiet({ client, resumeWork }) }
}

const WITHDRAWN =
  'Its installation was restored from a backup, so nobody is asked any more. Resume it to ask again.'

/** People were asked by the installation that was copied: it may have their answers, and may still run. */
async function withdrawAsks(client: FinishOptions['client']): Promise<void> {
  const { rows } = await client.query<{ asks: string | null }>(`select to_regclass('asks') as asks`)
  // A copy from before there were any.
  if (rows[0]?.asks == null) return
  await client.query(
    `with stopped as (
      update executions set status = 'cancelled', error = $1, error_code = 'cancelled', finished_at = now(),
        waiting_for = null, lease_until = null, attempt = attempt + 1
      where status = 'running' and waiting_for is not null
    ) update asks set status = 'withdrawn', closed_at = now() where status = 'open'`,
    [WITHDRAWN],
  )
}

const UNSURE =
  'Its installation was restored from a backup: nobody knows which of its calls have happened since. Resume it to send those that are left.'

/** A service may have had calls that the copy knows nothing of. */
async function stopCalls(client: FinishOptions['client']): Promise<void> {
  await client.query(
    `update executions set status = 'failed', error = $1, error_code = 'tool_unsure', finished_at = now(),
      lease_until = null, attempt = attempt + 1
    where status = 'running' and plan is not null
      and exists (select from json_array_elements(plan) as step where step ->> 'kind' = 'tool')`,
    [UNSURE],
  )
}
