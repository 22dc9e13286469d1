import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Prompt } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBackupFile } from '../apps/server/src/keeping/backup/backup-file.ts'
import { packBackup } from '../apps/server/src/keeping/backup/pack-backup.ts'
import { type Api, createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const PASSPHRASE = 'correct horse battery'
const OTHER_KEY = 'another-key-for-tests-of-more-than-32-characters'

let server: RunningServer
let api: Api
let work: string
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'catenary-backups-'))
  server = await startServer()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  await api.post('/api/prompts', { title: 'Precious', content: 'Kept', categoryId: 1 })
})
afterAll(async () => {
  await server.dispose()
  await rm(work, { recursive: true, force: true })
})

const place = (name: string) => join(work, name)

interface Options {
  dataDir?: string
  env?: Record<string, string>
  input?: string
}

const run = (args: string[], { dataDir = server.dataDir, ...rest }: Options = {}) =>
  runCommand(args, { dataDir, ...rest })

async function expectRefused(args: string[], why: RegExp, options?: Options): Promise<void> {
  const { code, out, err } = await run(args, options)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(why)
  expect(err).toMatch(/^[^\n]+\n$/)
}

async function emptyDirectory(name: string, { withKey }: { withKey: boolean }): Promise<string> {
  const dataDir = place(name)
  await mkdir(dataDir)
  if (withKey) await cp(join(server.dataDir, 'secret.key'), join(dataDir, 'secret.key'))
  return dataDir
}

/** Serves what was restored, and reads what was kept. */
async function readRestored(dataDir: string): Promise<string[]> {
  const restored = await startServer({ dataDir })
  try {
    const signedIn = createApi(restored.url)
    const { username, password } = seedAccount
    await signedIn.post('/api/login', { username, password })
    return (await signedIn.get<Prompt[]>('/api/prompts')).map(({ content }) => content)
  } finally {
    await restored.dispose()
  }
}

test('a backup is made beside the program that runs, and beside one that is stopped, and restored elsewhere', async () => {
  const made = await run(['backup', place('running')])
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toMatch(
    /^Wrote a backup of [\d.]+ MB to .*\.\n.*Keep .*secret\.key as well, in a different place\.\n$/,
  )
  await expectRefused(['backup', place('running')], /already exists/)
  await expectRefused(['backup', place('nowhere/running')], /The directory .* doesn’t exist/)
  const verified = await run(['verify', place('running')])
  expect(verified).toMatchObject({ code: 0, err: '' })
  expect(verified.out).toMatch(
    /is intact: .* \d+ rows in \d+ tables\.\n.*\nThe key that it needs is the one set here/,
  )
  expect((await readdir(work)).toSorted()).toEqual(['running'])

  await server.stop()
  expect(await run(['backup', place('stopped')])).toMatchObject({ code: 0, err: '' })
  await server.restart()

  for (const name of ['running', 'stopped']) {
    const dataDir = await emptyDirectory(`of-${name}`, { withKey: true })
    const restored = await run(['restore', place(name)], { dataDir })
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(restored.out).toMatch(/^Restored .* rows to .*\nEveryone is signed out.*\nIt is quiet:.*\n$/)
    expect(await readRestored(dataDir)).toEqual(['Kept'])
  }
})

test('a restore refuses in one line what it can’t or must not do, and leaves nothing', async () => {
  const file = place('refused')
  await run(['backup', file])
  await expectRefused(['restore', file], /already in use by process/)
  const keyless = await emptyDirectory('keyless', { withKey: false })
  await expectRefused(['restore', file], /was made with a SECRET_KEY, and none is set here/, {
    dataDir: keyless,
  })
  const env = { SECRET_KEY: OTHER_KEY }
  await expectRefused(['restore', file], /was made with a different SECRET_KEY/, { dataDir: keyless, env })
  const url = { DATABASE_URL: 'postgres://127.0.0.1:1/none', SECRET_KEY: OTHER_KEY }
  await expectRefused(['restore', file], /go into a DATA_DIR/, { dataDir: keyless, env: url })
  expect(await readdir(keyless)).toEqual([])

  const bytes = await readFile(file)
  const dataDir = await emptyDirectory('refusing', { withKey: true })
  await writeFile(place('cut'), bytes.subarray(0, -1))
  await expectRefused(['restore', place('cut')], /is cut off, or was changed/, { dataDir })
  await writeFile(place('foreign'), 'a letter')
  await expectRefused(['restore', place('foreign')], /is not a Catenary backup/, { dataDir })
  const newer = { applied: 1_000, last: 4_102_444_800_000 }
  await writeNewer(place('newer'), newer)
  await expectRefused(['restore', place('newer')], /belongs to a newer version of Catenary, 9\.0\.0/, {
    dataDir,
  })
  expect((await run(['verify', place('newer')])).out).toContain('belongs to a newer version')
  expect(await readdir(dataDir)).toEqual(['secret.key'])

  await run(['restore', file], { dataDir })
  await expectRefused(['restore', file], /There is already a database in/, { dataDir })
})

async function writeNewer(file: string, schema: { applied: number; last: number }): Promise<void> {
  async function* parts() {}
  const about = {
    ...({ format: 1, kind: 'files', program: '9.0.0', reason: 'by hand', postgres: '18.6' } as const),
    ...{ schema, takenAt: new Date().toISOString(), keyFingerprint: null },
  }
  const source = { kind: 'files', parts: parts(), tables: () => ({}) } as const
  await writeBackupFile({ file, bytes: packBackup({ about, source }) })
}

test('The key is not in a backup unless asked for, and then under a passphrase.', async () => {
  const file = place('with-key')
  await expectRefused(['backup', file, '--with-key'], /must have at least 12 characters/, {
    input: 'short\n',
  })
  const input = `${PASSPHRASE}\n`
  const env = { SECRET_KEY: OTHER_KEY }
  await expectRefused(['backup', file, '--with-key'], /has a different SECRET_KEY from this command/, {
    input,
    env,
  })
  const made = await run(['backup', file, '--with-key'], { input })
  expect(made).toMatchObject({ code: 0, err: '' })
  const key = (await readFile(join(server.dataDir, 'secret.key'), 'utf8')).trim()
  expect((await readFile(file)).includes(key)).toBe(false)

  const dataDir = await emptyDirectory('of-with-key', { withKey: false })
  const wrong = `${PASSPHRASE}!\n`
  await expectRefused(['restore', file], /The passphrase does not open the key/, { dataDir, input: wrong })
  expect(await readdir(dataDir)).toEqual([])
  expect(await run(['restore', file], { dataDir, input })).toMatchObject({ code: 0, err: '' })
  expect((await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()).toBe(key)
  expect(await readRestored(dataDir)).toEqual(['Kept'])
})
