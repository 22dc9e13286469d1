import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StartError } from '../../errors.ts'
import { createDataDirectory } from '../../testing/database.ts'
import { openDatabase } from '../open/client.ts'

describe('a data directory whose database is not whole', () => {
  let dataDir: string
  const inDatabase = (name: string) => path.join(dataDir, 'database', name)
  const open = (backupDirectory?: string) => openDatabase({ dataDir, fsync: false, backupDirectory })
  const refusal = (backupDirectory?: string) => open(backupDirectory).catch((error: unknown) => error)

  beforeEach(async () => {
    dataDir = await createDataDirectory()
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  it.each(['PG_VERSION', 'base', 'global/pg_control', 'pg_wal', 'pg_xact'])(
    'is refused without %s and left as it is',
    async (name) => {
      rmSync(inDatabase(name), { recursive: true })
      const error = await refusal()
      expect(error).toBeInstanceOf(StartError)
      expect(String(error)).toContain(`${name} is missing. There is no copy of it in ${dataDir}/backups`)
      expect(existsSync(inDatabase(name))).toBe(false)
    },
  )

  it('says where its last copy is', async () => {
    const copy = path.join(dataDir, 'backups', 'before-migration-3')
    mkdirSync(copy, { recursive: true })
    writeFileSync(path.join(copy, 'PG_VERSION'), '18\n')
    rmSync(inDatabase('PG_VERSION'))
    expect(String(await refusal())).toContain(`Its last copy is ${copy}: replace`)
  })

  it('says how its last copy is restored', async () => {
    const copy = path.join(dataDir, 'backups', 'before-migration-4.catenary')
    mkdirSync(path.dirname(copy), { recursive: true })
    writeFileSync(copy, 'a copy')
    rmSync(inDatabase('PG_VERSION'))
    expect(String(await refusal())).toContain(`Its last copy is ${copy}: move`)
    expect(String(await refusal())).toContain(`run "catenary restore ${copy}"`)
  })

  it('looks for its last copy where copies are kept, too', async () => {
    const elsewhere = path.join(dataDir, 'elsewhere')
    rmSync(inDatabase('PG_VERSION'))
    expect(String(await refusal(elsewhere))).toContain(`no copy of it in ${dataDir}/backups or ${elsewhere}`)
    mkdirSync(elsewhere)
    writeFileSync(path.join(elsewhere, 'catenary-daily.catenary'), 'a copy')
    expect(String(await refusal(elsewhere))).toContain(`run "catenary restore ${elsewhere}/catenary-daily`)
  })

  it.each(['secret.key', 'backups/before-migration-1'])(
    'is refused when only %s is left of it',
    async (name) => {
      mkdirSync(path.join(dataDir, path.dirname(name)), { recursive: true })
      writeFileSync(path.join(dataDir, name), 'kept')
      rmSync(path.join(dataDir, 'database'), { recursive: true })
      const error = await refusal()
      expect(error).toBeInstanceOf(StartError)
      expect(String(error)).toMatch(/^StartError: The database is gone: .* is empty or missing, beside/)
      expect(existsSync(path.join(dataDir, 'database'))).toBe(false)
    },
  )

  it('is refused in one line with PostgreSQL’s own words for any other damage', async () => {
    writeFileSync(inDatabase('global/pg_control'), '')
    const error = await refusal()
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).toMatch(/could not read file "global\/pg_control".*There is no copy/)
  })

  it.each(['', 'nonsense\n', '42\n/elsewhere\n'])(
    'opens whatever an earlier process left in postmaster.pid: %j',
    async (left) => {
      writeFileSync(inDatabase('postmaster.pid'), left)
      const database = await open()
      expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      await database.close()
      expect(readFileSync(inDatabase('PG_VERSION'), 'utf8')).toMatch(/^\d+/)
    },
  )
})
