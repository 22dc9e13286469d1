import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeBackupFile } from '../../db/backup/backup-file.ts'
import { withBackup } from '../../db/backup/with-backup.ts'
import { databaseKinds } from '../../testing/database.ts'
import { useMigrations } from '../../testing/migrations.ts'
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
  const { client, startFrom } = useMigrations(kind)

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
    return rehearse({ settings, makeCopy: async () => file })
  }

  it(
    'of an earlier schema names each migration, rows before and after, and the room; its place and a killed one’s are gone',
    async () => {
      await startFrom(21)
      await client().pool.query(`
      insert into users (name, email, username, display_username) values ('o', 'o@example.org', 'o', 'O');
      insert into sessions (token, user_id, expires_at) values ('t', 1, now());
      insert into chains (owner_id, name) values (1, 'Letters'), (1, 'Mails')`)
      const file = await copy('earlier.catenary')
      const left = path.join(work, 'data/rehearsal/copy/database')
      mkdirSync(left, { recursive: true })
      writeFileSync(path.join(left, 'PG_VERSION'), '18')

      const rehearsal = await rehearseWith(file)
      const { before, after, migrations, tables, room } = rehearsal
      expect(before.schema).toBe(21)
      expect(after.schema).toBe(21 + migrations.length)
      expect(migrations[0]?.name).toMatch(/^0021_\w+$/)
      const rowsOf = (name: string) => tables.find((table) => table.name === name)
      expect(rowsOf('chains')).toEqual({ name: 'chains', before: 2, after: 2 })
      expect(rowsOf('chain_versions')).toEqual({ name: 'chain_versions', before: null, after: 2 })
      // As they are before a restore ends them.
      expect(rowsOf('sessions')).toEqual({ name: 'sessions', before: 1, after: 1 })
      expect(room).toMatchObject({ fits: true, copyBytes: expect.any(Number) })
      expect(room.growthBytes).toBeGreaterThan(0)
      expect(readdirSync(path.join(work, 'data'))).toEqual([])

      const said = describeRehearsal({ file, ...rehearsal })
      expect(said).toContain(`The schema goes from 21 to ${after.schema}`)
      expect(said).toMatch(/^chain_versions +– +2$/m)
      expect(said).toMatch(/Rows that stay as many: .*chains 2, /)
      expect(said).toMatch(/Nothing of yours was changed/)
    },
    PATIENCE_MS,
  )

  it(
    'of this schema says that nothing is to be done',
    async () => {
      const file = await copy('current.catenary')
      const rehearsal = await rehearseWith(file)
      expect(rehearsal.migrations).toEqual([])
      expect(describeRehearsal({ file: null, ...rehearsal })).toContain('nothing is to be migrated')
    },
    PATIENCE_MS,
  )

  // A copy of rows has no tables of others.
  if (kind === 'embedded')
    it(
      'whose migration fails says which, and leaves nothing',
      async () => {
        await startFrom(21)
        await client().pool.query('create table chain_versions (id int)')
        const failing = rehearseWith(await copy('failing.catenary'))
        await expect(failing).rejects.toThrow(
          /The migration 00\d\d_\w+ failed: .*chain_versions.*already exists/,
        )
        expect(existsSync(path.join(work, 'data/rehearsal'))).toBe(false)
      },
      PATIENCE_MS,
    )
})
