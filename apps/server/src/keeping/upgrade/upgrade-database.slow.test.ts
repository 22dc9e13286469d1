import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { openDatabase } from '../../database/open/client.ts'
import { migrate, NewerSchemaError } from '../../database/open/migrate.ts'
import { StartError } from '../../errors.ts'
import { createServerDatabase, databaseKinds } from '../../testing/database.ts'
import { backupsOf, useMigrations } from '../../testing/migrations.ts'
import { writeBackupFile } from '../backup/backup-file.ts'
import { openBackup } from '../backup/read-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { restoreFiles } from '../backup/restore-files.ts'
import { withBackup } from '../backup/with-backup.ts'
import { upgradeDatabase } from './upgrade-database.ts'

describe.each(databaseKinds)('migrations on %s', (kind) => {
  const { client, add, upgrade, correctLast, hasTable } = useMigrations(kind)

  it('run once, however many start at the same time', async () => {
    add('create table added (id int)')
    await Promise.all([upgrade(), upgrade(), upgrade()])
    await upgrade()
    expect(await hasTable('added')).toBe(true)
  })

  it('leave nothing behind when one fails, and can run again', async () => {
    add('create table added (id int)')
    add('select 1 / 0')
    await expect(upgrade()).rejects.toThrow()
    expect(await hasTable('added')).toBe(false)
    correctLast('select 1')
    await upgrade()
    expect(await hasTable('added')).toBe(true)
  })

  it('refuse a database that a newer program has migrated', async () => {
    add('create table added (id int)')
    await upgrade()
    const olderProgram = migrate({ database: client() })
    await expect(olderProgram).rejects.toThrow(NewerSchemaError)
    await expect(olderProgram).rejects.toThrow('newer version of Catenary')
  })

  it('say what to ask for where the database has not the extension that they need', async () => {
    add('create extension no_such_extension')
    await expect(upgrade()).rejects.toThrow(StartError)
    await expect(upgrade()).rejects.toThrow(/not available.*'CREATE EXTENSION no_such_extension'/)
  })
})

test('a database in another encoding than UTF-8 is refused with what to do', async () => {
  const databaseUrl = await createServerDatabase({ migrated: false, encoding: 'SQL_ASCII' })
  const database = await openDatabase({ databaseUrl, dataDir: '', fsync: true })
  await expect(migrate({ database })).rejects.toThrow(/is encoded in SQL_ASCII.*ENCODING 'UTF8'/)
  await database.close()
})

describe('the copy before a migration', () => {
  const { client, add, upgrade } = useMigrations('embedded')

  it('is made of an embedded database with data, if there is something to do', async () => {
    const { directory, pool } = client()
    const backups = backupsOf(directory ?? '')
    await pool.query("insert into categories (name) values ('precious')")
    await upgrade()
    expect(existsSync(backups)).toBe(false)
    add('drop table categories cascade')
    await upgrade()

    const [name = ''] = readdirSync(backups)
    expect(name).toMatch(/^before-migration-\d+\.catenary$/)
    const restored = mkdtempSync(path.join(tmpdir(), 'catenary-restored-'))
    const backup = await openBackup(path.join(backups, name))
    await restoreFiles({ backup, dataDir: restored, fsync: false, resumeWork: false })
    const copy = await openDatabase({ dataDir: restored, fsync: false })
    const { rows } = await copy.pool.query('select name from categories')
    expect(rows).toEqual([{ name: 'precious' }])
    await copy.close()
    rmSync(restored, { recursive: true })
  })

  it('A database of a newer version is refused with the way back: the newest whole copy from before the upgrade, and the command that restores it.', async () => {
    const { directory } = client()
    const backups = backupsOf(directory ?? '')
    const elsewhere = mkdtempSync(path.join(path.dirname(backups), 'elsewhere-'))
    add('create table added (id int)')
    await upgrade()
    const [name = ''] = readdirSync(backups)
    const file = path.join(backups, name)
    // Of the newer version, as one that was made since.
    const newer = path.join(elsewhere, 'newer.catenary')
    await withBackup({ database: client(), reason: 'by hand', keyFingerprint: null }, (bytes) =>
      writeBackupFile({ file: newer, bytes }),
    )
    writeFileSync(path.join(elsewhere, 'foreign.catenary'), 'a letter')
    const downgrade = () => upgradeDatabase({ database: client(), backups: elsewhere })
    const back = new RegExp(
      `go back to ${file}, taken 20\\S+Z by Catenary \\S+.*: move ${directory} away, and run "catenary restore ${file}"\\.$`,
    )
    await expect(downgrade()).rejects.toThrow(back)

    renameSync(file, path.join(elsewhere, name))
    await expect(downgrade()).rejects.toThrow(`"catenary restore ${path.join(elsewhere, name)}"`)
    appendFileSync(path.join(elsewhere, name), 'x')
    await expect(downgrade()).rejects.toThrow(`There is none in ${backups} or ${elsewhere}.`)
    rmSync(elsewhere, { recursive: true })
  })
})

describe('the copy of a PostgreSQL before a migration', () => {
  const { client, add, upgrade } = useMigrations('server')
  const said: { file?: string; message: string }[] = []
  const hear = (fields: object, message: string) => void said.push({ ...fields, message })
  const log = { info: hear, warn: hear, error: hear }

  it('Before a database is migrated, a backup is made of it in `BACKUP_DIR`; without that setting beside an embedded one, and of a PostgreSQL none, which the log says. A start that fails names the last one.', async () => {
    const work = mkdtempSync(path.join(tmpdir(), 'catenary-copies-'))
    await client().pool.query("insert into categories (name) values ('precious')")
    add('create table added (id int)')
    await upgrade({ log })
    expect(said.splice(0)).toEqual([
      { message: 'no backup is made before this upgrade, as BACKUP_DIR is not set' },
    ])

    const backups = path.join(work, 'copies')
    await upgrade({ log, backups })
    expect(existsSync(backups)).toBe(false)
    add("update categories set name = 'changed'")
    await client().pool.query('drop table added')
    await client().pool.query(
      'delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)',
    )
    await upgrade({ log, backups })
    const [name = ''] = readdirSync(backups)
    expect(name).toMatch(/^before-migration-\d+\.catenary$/)
    const file = path.join(backups, name)
    expect(said.splice(0)).toEqual([{ file, message: 'a backup was made before the upgrade' }])

    const dataDir = path.join(work, 'restored')
    const backup = await openBackup(file)
    expect(backup.about).toMatchObject({ kind: 'rows', reason: 'before migration' })
    await restoreBackup({ backup, dataDir, fsync: false, resumeWork: false })
    const copy = await openDatabase({ dataDir, fsync: false })
    const { rows } = await copy.pool.query(
      `select name from categories where name in ('precious', 'changed')`,
    )
    expect(rows).toEqual([{ name: 'precious' }])
    await copy.close()

    writeFileSync(path.join(work, 'file'), '')
    add('select 1')
    const nowhere = path.join(work, 'file', 'copies')
    await expect(upgrade({ backups: nowhere })).rejects.toThrow(/No backup can be made before the upgrade/)
    rmSync(work, { recursive: true })
  })
})
