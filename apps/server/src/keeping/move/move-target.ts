import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { lockDirectory } from '../../database/embedded/directory-lock.ts'
import { fsyncDirectory } from '../../database/embedded/fsync.ts'
import { DATABASE_DIRECTORY, type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { lockMigrations } from '../../database/open/migrate.ts'
import { readMarks } from '../../database/open/move-marks.ts'
import { StartError } from '../../errors.ts'
import { requireEmpty } from '../backup/load-rows.ts'

export interface MoveTarget {
  kind: DatabaseClient['kind']
  hasArrived(id: string): Promise<boolean>
  open(): Promise<DatabaseClient>
  keep(): Promise<void>
  close(): Promise<void>
}

export function serverTarget(databaseUrl: string): MoveTarget {
  let opened: DatabaseClient | undefined
  const open = async () => {
    opened ??= await openDatabase({ databaseUrl, dataDir: '', fsync: true })
    return opened
  }
  return {
    kind: 'server',
    hasArrived: async (id) => {
      const { withoutLimit } = await open()
      return withoutLimit(async (client) => {
        // What a killed mover sent may still be about to be committed.
        await client.query('begin')
        await lockMigrations(client)
        const { arrived } = await readMarks(client)
        await client.query('commit')
        return arrived?.id === id
      })
    },
    open: async () => {
      const database = await open()
      await requireEmpty(database.pool)
      return database
    },
    keep: async () => {},
    close: async () => opened?.close(),
  }
}

const UNFINISHED = 'moving'

/** An embedded database in a data directory that has none. It is made aside, and there once it is whole. */
export function embeddedTarget({ dataDir, fsync }: { dataDir: string; fsync: boolean }): MoveTarget {
  const place = path.join(dataDir, DATABASE_DIRECTORY)
  const aside = path.join(dataDir, UNFINISHED)
  let lock: { release: () => void } | undefined
  let opened: DatabaseClient | undefined
  const discard = () => rmSync(aside, { recursive: true, force: true, maxRetries: 5 })
  const release = () => {
    if (lock === undefined) return
    discard()
    lock.release()
    lock = undefined
  }
  return {
    kind: 'embedded',
    hasArrived: async (id) => {
      if (!existsSync(place)) return false
      const database = await openDatabase({ dataDir, fsync })
      try {
        return (await readMarks(database.pool)).arrived?.id === id
      } finally {
        await database.close()
      }
    },
    open: async () => {
      lock ??= lockDirectory(dataDir)
      if (existsSync(place)) {
        throw new StartError(
          `There is already a database in ${place}. Move it away, or set DATA_DIR to another folder.`,
        )
      }
      discard()
      opened = await openDatabase({ dataDir: aside, fsync })
      return opened
    },
    keep: async () => {
      await opened?.close()
      renameSync(path.join(aside, DATABASE_DIRECTORY), place)
      if (fsync) fsyncDirectory(dataDir)
      release()
    },
    close: async () => {
      await opened?.close()
      release()
    },
  }
}
