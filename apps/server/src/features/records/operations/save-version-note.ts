import type { User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { RecordKey } from '../record-port.ts'
import type { RecordsDeps } from '../records-deps.ts'
import { updateVersionNote } from '../versions.repository.ts'

/** Throws `not_found` where there is no such version. */
export function saveVersionNote(
  { db, ports }: RecordsDeps,
  { kind, id, user, number, note }: RecordKey & { user: User; number: number; note: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    await ports[kind].openForChange(tx, { id, user })
    if (await updateVersionNote(tx, { kind, id, number, note })) return
    throw new AppError('not_found', 'Version not found')
  })
}
