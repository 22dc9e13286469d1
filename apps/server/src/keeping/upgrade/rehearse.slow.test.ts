import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSchemaNumber } from '../../database/open/schema-number.ts'
import { databaseKinds } from '../../testing/database.ts'
import { useMigrations } from '../../testing/migrations.ts'
import { writeBackupFile } from '../backup/backup-file.ts'
import { withBackup } from '../backup/with-backup.ts'
import { describeRehearsal } from './describe-rehearsal.ts'
import { rehearse } from './rehearse.ts'

/** Each restores a whole database, on a machine that may be busy. */
const PATIENCE_MS = 240_000

let work: string
beforeAll(() => {
  work = mkdtempSync(path.join(tmpdir(), 'catenary-rehearsals-'))
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

describe.each(databaseKinds)('a rehearsal with a copy of %s', (kind) => {
  const { client, folder, add } = useMigrations(kind)

  /** A copy of the database as it is. */
  async function copy(name: string): Promise<string> {
    const file = path.join(work, `${kind}-${name}`)
    await withBackup({ database: client(), reason: 'by hand', keyFingerprint: null }, (bytes) =>
      writeBackupFile({ file, bytes }),
    )
    return file
  }

  const rehearseWith = (file: string) => {
    const settings = { databaseUrl: undefined, dataDir: path.join(work, 'data'), embeddedFsync: false }
    return rehearse({ settings, migrationsFolder: folder(), makeCopy: async () => file })
  }

  it(
    '`upgrade --rehearse` tries the upgrade with a copy: each migration with its time, rows before and after, and the room it takes. It changes nothing, and leaves nothing.',
    async () => {
      await client().pool.query(`
      insert into users (name, email, username, display_username) values ('o', 'o@example.org', 'o', 'O');
      insert into sessions (token, user_id, expires_at) select 't', id, now() from users;
      insert into chains (owner_id, name) select id, unnest('{Letters,Mails}'::text[]) from users`)
      const { applied } = await readSchemaNumber(client().pool)
      const file = await copy('earlier.catenary')
      add('create table added (id int)')
      add('insert into added select id from chains')
      const left = path.join(work, 'data/rehearsal/copy/database')
      mkdirSync(left, { recursive: true })
      writeFileSync(path.join(left, 'PG_VERSION'), '18')

      const rehearsal = await rehearseWith(file)
      const { before, after, migrations, tables, room } = rehearsal
      expect(before.schema).toBe(applied)
      expect(after.schema).toBe(applied + 2)
      expect(migrations.map(({ name }) => name)).toEqual([`${applied}_added`, `${applied + 1}_added`])
      const rowsOf = (name: string) => tables.find((table) => table.name === name)
      expect(rowsOf('chains')).toEqual({ name: 'chains', before: 2, after: 2 })
      expect(rowsOf('added')).toEqual({ name: 'added', before: null, after: 2 })
      // As they are before a restore ends them.
      expect(rowsOf('sessions')).toEqual({ name: 'sessions', before: 1, after: 1 })
      expect(room).toMatchObject({ fits: true, copyBytes: expect.any(Number) })
      expect(room.growthBytes).toBeGreaterThan(0)
      expect(readdirSync(path.join(work, 'data'))).toEqual([])

      const said = describeRehearsal({ file, ...rehearsal })
      expect(said).toContain(`The schema goes from ${applied} to ${after.schema}`)
      expect(said).toMatch(/^added +– +2$/m)
      expect(said).toMatch(/Tables whose number of rows stays the same: .*chains 2, /)
      expect(said).toMatch(/Your data was not changed/)
    },
    PATIENCE_MS,
  )

  it(
    'of this schema says that nothing is to be done',
    async () => {
      const file = await copy('current.catenary')
      const rehearsal = await rehearseWith(file)
      expect(rehearsal.migrations).toEqual([])
      expect(describeRehearsal({ file: null, ...rehearsal })).toContain('there is nothing to migrate')
    },
    PATIENCE_MS,
  )

  it(
    'whose migration fails says which, and leaves nothing',
    async () => {
      const file = await copy('failing.catenary')
      add('create table chains (id int)')
      await expect(rehearseWith(file)).rejects.toThrow(
        /The migration \d+_added failed: .*chains.*already exists/,
      )
      expect(existsSync(path.join(work, 'data/rehearsal'))).toBe(false)
    },
    PATIENCE_MS,
  )
})
