import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../apps/server/src/database/open/client.ts'
import { linkActivity } from '../apps/server/src/features/activity/activity.ts'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { startApp } from '../apps/server/src/testing/harness.ts'
import { createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const ROOT = { username: 'Root', email: 'root@example.org' }
const NAMED = ['--username', ROOT.username, '--email', ROOT.email]

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.dispose())

const run = (args: string[], options: { env?: Record<string, string>; input?: string } = {}) =>
  runCommand(args, { dataDir: server.dataDir, ...options })

async function signIn(password: string) {
  const api = createApi(server.url)
  const { status, body } = await api.call('POST', '/api/login', { username: ROOT.username, password })
  return { status, body, user: async () => (await api.call('GET', '/api/user')).status }
}

test('A command creates an administrator, or resets a password and ends all its sessions. A wrong one says why and ends with 1 or 2.', async () => {
  const inUse = await run(['create-admin', ...NAMED])
  expect(inUse).toMatchObject({ code: 1, out: '' })
  expect(inUse.err).toMatch(/already in use by .*\. Stop that process/)

  await server.stop()
  const input = 'correct horse battery\n'
  const made = await run(['create-admin', ...NAMED, '--password-stdin'], { input })
  expect(made).toEqual({ code: 0, out: 'Root is now an administrator.\n', err: '' })
  const again = await run(['create-admin', ...NAMED])
  expect(again).toMatchObject({ code: 1, err: 'This username is already taken\n' })
  await server.restart()
  const first = await signIn('correct horse battery')
  expect(first).toMatchObject({ status: 200, body: { role: 'admin' } })

  await server.stop()
  const reset = await run(['reset-password', ROOT.email.toUpperCase()])
  expect(reset).toMatchObject({ code: 0, err: '' })
  const [, password = ''] = /^Password: (\S{20})$/m.exec(reset.out) ?? []
  expect(await run(['reset-password', 'nobody'])).toMatchObject({
    code: 1,
    err: 'There is no account nobody.\n',
  })
  await server.restart()
  expect(await first.user()).toBe(401)
  expect(await signIn('correct horse battery')).toMatchObject({ status: 401 })
  expect(await signIn(password)).toMatchObject({ status: 200 })
})

test('passwords and addresses are checked as at registration', async () => {
  await server.stop()
  const wrong = await run(['create-admin', '--username', 'Ada', '--email', 'ada', '--password-stdin'], {
    input: 'short',
  })
  expect(wrong).toMatchObject({ code: 1, out: '' })
  expect(wrong.err).toMatch(/email/)
  expect(wrong.err).toMatch(/password/i)
  const common = await run(['reset-password', ROOT.username, '--password-stdin'], { input: 'password1\n' })
  expect(common).toMatchObject({ code: 1, err: expect.stringMatching(/most common/) })
  await server.restart()
})

test('A command lists the settings with where each comes from, and shows no secret.', async () => {
  const dotEnv = join(server.dataDir, '.env')
  await writeFile(dotEnv, 'PORT=4000\nRUNS_PER_MINUTE=7\n')
  try {
    const env = { PORT: '5000', ANTHROPIC_API_KEY: 'sk-ant-not-shown' }
    const custom = { CUSTOM_BASE_URL: 'http://user:not-shown@localhost/v1', CUSTOM_MODEL: 'llama3' }
    const { code, out } = await run(['list-settings', '--json'], { env: { ...env, ...custom } })
    expect(code).toBe(0)
    expect(out).not.toContain('not-shown')
    expect(JSON.parse(out)).toEqual(
      expect.arrayContaining([
        { name: 'PORT', value: '5000', source: 'environment' },
        { name: 'RUNS_PER_MINUTE', value: '7', source: '.env' },
        { name: 'HOST', value: '127.0.0.1', source: 'default' },
        { name: 'ANTHROPIC_API_KEY', value: '••••', source: 'environment' },
        { name: 'CUSTOM_BASE_URL', value: 'http://••••@localhost/v1', source: 'environment' },
        { name: 'TRUST_PROXY', value: 'off', source: 'default' },
      ]),
    )
    expect((await run(['list-settings'])).out).toMatch(/^RUNS_PER_MINUTE +\.env +7$/m)
    expect(await run(['list-settings'], { env: { PORT: 'x' } })).toMatchObject({
      code: 1,
      err: 'PORT: must be a port number\n',
    })
  } finally {
    await rm(dotEnv)
  }
})

test('`doctor` looks at a running or a stopped program, changes nothing, and ends with what to do; 0 where nothing is.', async () => {
  const env = { PORT: String(server.port), PUBLIC_URL: server.url }
  const beside = await run(['doctor', '--json'], { env })
  const { isWell, groups } = JSON.parse(beside.out) as {
    isWell: boolean
    groups: { title: string; findings: { grade: string; text: string }[] }[]
  }
  expect({ code: beside.code, isWell, err: beside.err }).toEqual({ code: 0, isWell: true, err: '' })
  const said = groups.flatMap(({ findings }) => findings.map(({ grade, text }) => `${grade}: ${text}`))
  expect(said).toEqual(
    expect.arrayContaining([
      `ok: PORT is ${server.port}, from the environment`,
      `ok: Catenary runs on the embedded database in ${server.dataDir}`,
      'ok: It is ready: database, queue and disk',
      expect.stringMatching(/^ok: Streams arrive as they are written/),
    ]),
  )
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)

  await server.stop()
  const settings = { ...env, SMTP_URL: 'smtp://u:not-shown@127.0.0.1:1', MAIL_FROM: 'a@example.org' }
  const alone = await run(['doctor'], { env: settings })
  expect(alone.code).toBe(1)
  expect(alone.out).toMatch(/^ {2}ok {9}The tables match this version$/m)
  expect(alone.out).toMatch(/^ {2}not asked {2}.*start Catenary, then check again$/m)
  expect(alone.out).toMatch(/^ {2}problem {4}The mail server refused the connection\n/m)
  expect(alone.out).toMatch(
    /\nWhat to do\n {2}1\. Check SMTP_URL: The mail server refused the connection\.\n$/,
  )
  expect(alone.out).not.toContain('not-shown')
  const wrong = await run(['doctor'], { env: { PORT: 'x' } })
  expect(wrong).toMatchObject({
    code: 1,
    out: expect.stringContaining('problem    PORT: must be a port number'),
  })
  await server.restart()
})

test('A command reads every row of the activity: it ends with 0 where none was changed by hand, and with 1 and the first that was.', async () => {
  await server.stop()
  const verify = () => run(['verify', '--activity'])
  const byHand = async (change: string) => {
    const client = await openDatabase({ dataDir: server.dataDir, fsync: false })
    const app = await startApp({ database: { client } })
    await linkActivity(app.ctx)
    await app.close()
    await client.pool.query(`
      alter table activity disable trigger user;
      ${change};
      alter table activity enable trigger user`)
    await client.close()
  }
  const first = 'where id = (select min(id) from activity)'
  await byHand(`update activity set count = 2 ${first}`)
  expect(await verify()).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^Row \d+ of \S+ was changed or moved\.\n$/),
    err: '',
  })
  await byHand(`update activity set count = 1 ${first}`)
  const well = await verify()
  expect(well).toMatchObject({ code: 0, err: '' })
  expect(well.out).toMatch(/^The activity is unchanged: [\d,]+ rows up to \S+\n$/)
  expect(await run(['verify'])).toMatchObject({ code: 1, err: expect.stringContaining('or add --activity') })
  await server.restart()
})

test('doctor tells what to type where the data directory can’t be written to', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'catenary-read-only-'))
  await chmod(dataDir, 0o500)
  const { code, out } = await runCommand(['doctor'], { dataDir, asAnyone: true })
  await rm(dataDir, { recursive: true })
  expect(code).toBe(1)
  expect(out).toContain(`problem    ${dataDir} can’t be written to`)
  expect(out).toContain(`1. chmod 700 ${dataDir}`)
})

test('help, the version, and what is not understood', async () => {
  const help = await run(['--help'])
  expect(help).toMatchObject({ code: 0, err: '' })
  for (const name of [
    'start',
    'web',
    'worker',
    'create-admin',
    'reset-password',
    'list-settings',
    'doctor',
    'compact',
    'rotate-key',
    'move',
    'backup',
    'verify',
    'restore',
  ])
    expect(help.out).toMatch(new RegExp(`^ +${name} `, 'm'))
  expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+( \([0-9a-f]+\))?\n$/)
  expect(await run(['strat'])).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean start?') })
  expect(await run(['create-admin', '--username', 'Ada'])).toMatchObject({
    code: 2,
    err: expect.stringContaining("required option '--email <address>' not specified"),
  })
  // What only a person mends: a manager of services starts it no more.
  expect(await run(['web'])).toMatchObject({
    code: 78,
    err: expect.stringContaining('ROLE=web needs DATABASE_URL'),
  })
})

test('upgrade alone says how an upgrade is done; its rehearsal is made beside the program, and leaves nothing', async () => {
  const alone = await run(['upgrade'])
  expect(alone).toMatchObject({ code: 1, out: '' })
  expect(alone.err).toMatch(/^To upgrade, start the new version: it backs up the database .*\n$/)
  await server.restart()
  const before = await readdir(server.dataDir)
  const rehearsed = await run(['upgrade', '--rehearse'])
  expect(rehearsed).toMatchObject({ code: 0, err: '' })
  expect(rehearsed.out).toMatch(
    /^Rehearsed with a copy of the database, taken .* there is nothing to migrate\./s,
  )
  expect(rehearsed.out).toContain('Your data was not changed')
  expect(await readdir(server.dataDir)).toEqual(before)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('A move to where another key is kept is refused, and `doctor` says where a database was moved to.', async () => {
  await server.stop()
  const url = await createServerDatabase({ migrated: false })
  expect(await run(['move', '--to', 'embedded'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('already the embedded one'),
  })
  expect(await run(['move', '--to', 'mysql://x'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('postgres://'),
  })
  const moved = await run(['move', '--to', url])
  expect(moved).toMatchObject({ code: 0, err: '' })
  expect(moved.out).toMatch(
    /^Moved [\d,]+ rows of \d+ tables; each table has the same hash on both sides\.\n/,
  )
  expect(moved.out).toContain('secret.key')
  expect(moved.out).not.toContain(await readFile(join(server.dataDir, 'secret.key'), 'utf8'))
  expect(moved.out).not.toContain('password')

  const left = await run(['start'])
  expect(left).toMatchObject({ code: 1, out: '' })
  expect(left.err).toMatch(/was moved to a PostgreSQL on .*"catenary start --reopen"/)
  const twice = await run(['create-admin', '--username', 'Late', '--email', 'late@example.org'])
  expect(twice).toMatchObject({ code: 1, err: expect.stringContaining('was moved to another one') })
  expect((await run(['doctor'])).out).toMatch(
    /problem +This database was moved to a PostgreSQL on .*What to do.*"catenary start --reopen"/s,
  )
  const there = await startServer({ dataDir: server.dataDir, env: { DATABASE_URL: url } })
  await there.stop()

  const otherKey = 'another-key-for-tests-of-more-than-32-characters'
  const back = await run(['move', '--to', 'embedded'], { env: { DATABASE_URL: url, SECRET_KEY: otherKey } })
  expect(back).toMatchObject({ code: 1, out: '' })
  expect(back.err).toMatch(
    /secret\.key \(SHA-256 [0-9a-f]{8}…\) is not the SECRET_KEY .* \([0-9a-f]{8}…\)\. Move .* away, then try again\.\n$/,
  )
})
