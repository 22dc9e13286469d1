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
  const again = await deleteAgain({ client, records: deleted, takenAt: new Date(takenAt) })
  return { again, pending: await makeQuiet({ client, resumeWork }) }
}
