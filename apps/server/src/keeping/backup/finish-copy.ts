import type pg from 'pg'
import { deleteAgain } from '../deletions/delete-again.ts'
import { makeQuiet } from './quiet-copy.ts'
import type { Restored, RestoreOptions } from './restore-stages.ts'

interface FinishOptions extends Required<Pick<RestoreOptions, 'resumeWork'>> {
  /** In a transaction. */
  client: Pick<pg.ClientBase, 'query'>
  deleted: NonNullable<RestoreOptions['deleted']>
  takenAt: string
}

/** What is left to do with a copy that is whole and has this program's schema, before it is the database. */
export async function finishCopy({
  client,
  resumeWork,
  deleted,
  takenAt,
}: FinishOptions): Promise<Pick<Restored, 'pending' | 'again'>> {
  const again = await deleteAgain({ client, records: deleted, takenAt: new Date(takenAt) })
  return { again, pending: await makeQuiet({ client, resumeWork }) }
}
