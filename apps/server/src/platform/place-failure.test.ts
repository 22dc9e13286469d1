import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { makeFolder } from '../features/backups/backup-folder.ts'
import { writeBackupFile } from '../keeping/backup/backup-file.ts'
import { copyBeforeMigration } from '../keeping/upgrade/upgrade-database.ts'

/** Where nobody may write, an administrator neither. */
const CLOSED = '/sys/kernel'
const says = (place: string) =>
  new RegExp(
    `^${place} can’t be written to: E(ROFS|ACCES|PERM): .*ReadWritePaths=.*a container needs a volume`,
  )

test.each([
  {
    what: 'a copy by hand',
    write: () => writeBackupFile({ file: `${CLOSED}/a.catenary`, bytes: Readable.from([]) }),
    place: CLOSED,
  },
  {
    what: 'the folder of a nightly copy',
    write: () => makeFolder(`${CLOSED}/backups`),
    place: `${CLOSED}/backups`,
  },
  {
    what: 'the copy before a migration',
    write: () =>
      copyBeforeMigration({
        client: undefined as never,
        directory: null,
        backups: `${CLOSED}/backups`,
        keyFingerprint: null,
      }),
    place: `${CLOSED}/backups`,
  },
])('$what, where a unit or a container lets nobody write, says what lets it', async ({ write, place }) => {
  await expect(write()).rejects.toThrow(says(place))
})
