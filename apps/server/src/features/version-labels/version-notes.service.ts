import type { User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { Labelled, LabelledRecord } from './version-labels.service.ts'
import { updateVersionNote } from './version-notes.repository.ts'

export type VersionNotesService = ReturnType<typeof createVersionNotesService>

interface VersionNotesDeps<Stored extends LabelledRecord> {
  db: Database
  records: Labelled<Stored>
}

/** What is said of the versions of a record, for who may change the record. */
export function createVersionNotesService<Stored extends LabelledRecord>({
  db,
  records: { kind, openForChange },
}: VersionNotesDeps<Stored>) {
  return {
    /** Throws `not_found` for a version that there is not. */
    async save({
      id,
      user,
      ...version
    }: {
      id: number
      number: number
      note: string
      user: User
    }): Promise<void> {
      await db.transaction(async (tx) => {
        await openForChange(tx, { id, user })
        if (await updateVersionNote(tx, { kind, id, ...version })) return
        throw new AppError('not_found', 'Version not found')
      })
    },
  }
}
