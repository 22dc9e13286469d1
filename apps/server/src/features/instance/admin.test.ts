import { Writable } from 'node:stream'
import type { SystemCheck, SystemCheckResult } from '@catenary/contracts'
import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activity, settings } from '../../database/schema/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { routeDatabaseKinds, useTestDatabase } from '../../testing/database.ts'
import {
  CANARY_KEY,
  FAKE_WIRES,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'

const DEBUG_MODE = '/api/admin/debug-mode'

describe.each(routeDatabaseKinds)('administration on %s', (kind) => {
  const database = useTestDatabase(kind)
  const lines: string[] = []
  const log = createLog({ level: 'warn', destination: collect(lines) })
  let app: TestApp
  let admin: TestUser
  let ada: TestUser
  beforeAll(async () => {
    app = await startApp({ database, log })
    await app.app.start()
    admin = await app.registerUser({ role: 'admin' })
    ada = await app.registerUser()
  })
  afterAll(() => app.close())

  const get = (url: string, as: TestUser | undefined = admin) => app.request({ url, as })
  const setDebugMode = (enabled: unknown, as: TestUser | undefined = admin) =>
    app.request({ method: 'POST', url: DEBUG_MODE, body: { enabled }, as })

  test.each([
    ['GET', DEBUG_MODE, undefined],
    ['POST', DEBUG_MODE, { enabled: true }],
    ['POST', DEBUG_MODE, { nonsense: true }],
    ['GET', '/api/admin/models', undefined],
    ['POST', '/api/admin/models/claude/test', undefined],
    ['GET', '/api/admin/checks', undefined],
    ['GET', '/api/admin/checks/database', undefined],
    ['GET', '/api/admin/checks/nothing', undefined],
  ] as const)('%s %s is for admins', async (method, url, body) => {
    const guest = await app.request({ method, url, body })
    expect(guest).toMatchObject({ status: 401, body: { error: 'Please log in' } })
    const refused = await app.request({ method, url, body, as: ada })
    expect(refused).toMatchObject({
      status: 403,
      body: { error: 'Only an administrator may do this' },
    })
  })

  test('The debug setting is debugMode: off at first, set by POST /api/admin/debug-mode, which replies what it is now.', async () => {
    expect((await get(DEBUG_MODE)).body).toEqual({ debugMode: false })
    expect(await setDebugMode(true)).toMatchObject({ status: 200, body: { debugMode: true } })
    expect((await get(DEBUG_MODE)).body).toEqual({ debugMode: true })
    expect(await setDebugMode(false)).toMatchObject({ status: 200, body: { debugMode: false } })
    expect((await get(DEBUG_MODE)).body).toEqual({ debugMode: false })
    const rows = await app.db
      .select()
      .from(activity)
      .where(eq(activity.kind, 'instance.debug_mode_set'))
      .orderBy(activity.id)
    expect(rows.map(({ personId, before, after }) => [personId, before, after])).toEqual([
      [admin.user.id, { debugMode: false }, { debugMode: true }],
      [admin.user.id, { debugMode: true }, { debugMode: false }],
    ])
  })

  test('while debug mode is on the server logs at level debug, and as before afterwards', async () => {
    lines.length = 0
    await get('/api/categories')
    expect(lines).toEqual([])
    await setDebugMode(true)
    await get('/api/categories?secret=1')
    const logged = lines.join('')
    expect(logged).toContain('"level":20')
    expect(logged).toContain('"path":"/api/categories"')
    expect(logged).not.toContain('secret')
    await setDebugMode(false)
    lines.length = 0
    await get('/api/categories')
    expect(lines).toEqual([])
  })

  test('a process that starts later does the same; one that logs more keeps doing so', async () => {
    await setDebugMode(true)
    for (const [usual, level] of [
      ['error', 'debug'],
      ['trace', 'trace'],
    ] as const) {
      const otherLog = createLog({ level: usual, destination: collect([]) })
      const other = await startApp({ database, log: otherLog, settings: { role: 'web' } })
      await other.app.start()
      expect(otherLog.level).toBe(level)
      await other.close()
    }
    await setDebugMode(false)
  })

  test.each([['yes'], [1], [null]])('%j is neither on nor off', async (enabled) => {
    expect(await setDebugMode(enabled)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^Expected boolean/) },
    })
  })

  test('without a key the sandbox stands for each model, and says so', async () => {
    expect((await get('/api/admin/models')).body).toMatchObject(
      [
        ['claude', 'Claude', 'ANTHROPIC_API_KEY'],
        ['openai', 'GPT-4o', 'OPENAI_API_KEY'],
        ['gemini', 'Gemini', 'GEMINI_API_KEY'],
      ].map(([alias, label, keyVariable]) => ({
        alias,
        label,
        keyVariable,
        configured: false,
        provider: 'sandbox',
        modelId: 'sandbox',
      })),
    )
    const run = { method: 'POST', url: '/api/admin/models/claude/test', as: admin } as const
    expect((await app.request(run)).body).toEqual({
      ok: true,
      ms: expect.any(Number),
      modelId: 'sandbox',
      error: null,
      address: null,
    })
    expect((await app.request({ ...run, url: '/api/admin/models/other/test' })).status).toBe(404)
  })

  test('each check runs by its name and says how it went', async () => {
    const checks = (await get('/api/admin/checks')).body as SystemCheck[]
    expect(checks.map(({ name }) => name)).toEqual([
      'database',
      'disk',
      'queue',
      'model-claude',
      'model-openai',
      'model-gemini',
      'schedules',
      'mail',
      'google-drive',
      'outgoing-fetch',
    ])
    const notSetUp = ['mail', 'google-drive', ...(kind === 'server' ? ['disk'] : [])]
    for (const { name } of checks) {
      expect((await get(`/api/admin/checks/${name}`)).body).toEqual({
        name,
        status: notSetUp.includes(name) ? 'off' : 'ok',
        message: expect.any(String),
        ms: expect.any(Number),
      })
    }
    expect(await app.db.$count(settings, like(settings.key, 'probe:%'))).toBe(0)
    expect(await get('/api/admin/checks/nothing')).toMatchObject({ status: 404 })
  })

  test('another site can’t make an admin’s browser run a check', async () => {
    const headers = { cookie: admin.headers.cookie, 'sec-fetch-site': 'cross-site' }
    const reply = await app.request({ url: '/api/admin/checks/model-claude', headers })
    expect(reply).toMatchObject({ status: 403, body: { error: 'This request came from another site' } })
  })

  test.each(FAKE_WIRES)('over the wire of $name a model answers, or fails with its reason', async (wire) => {
    const { models, fake, close } = await startModelsOnFake({ wire })
    const other = await startApp({ database, models })
    const url = `/api/admin/models/${wire.alias}/test`
    const run = async () => (await other.request({ method: 'POST', url, as: admin })).body
    const check = async (alias: string) =>
      (await other.request({ url: `/api/admin/checks/model-${alias}`, as: admin })).body
    const answered = await run()
    expect(fake.journal).toHaveLength(1)
    const address = new URL(fake.journal[0]?.path ?? '', fake.url).href
    const ms = expect.any(Number)
    expect(answered).toEqual({ ok: true, ms, modelId: 'fake-model', error: null, address })
    expect(await check(wire.alias)).toMatchObject({ status: 'ok', message: 'fake-model answered' })
    fake.replyByDefault({ status: 401 })
    const failed = await run()
    expect(failed).toMatchObject({
      ...{ ok: false, modelId: null, address },
      error: expect.stringContaining('API key'),
    })
    expect(await check(wire.alias)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('API key'),
    })
    const { text, body } = await other.request({ url: '/api/admin/models', as: admin })
    expect(body).toContainEqual(expect.objectContaining({ alias: wire.alias, configured: true }))
    expect(text + JSON.stringify(failed)).not.toContain(CANARY_KEY)
    const unset = wire.alias === 'gemini' ? 'claude' : 'gemini'
    const variable = wire.alias === 'gemini' ? 'ANTHROPIC_API_KEY' : 'GEMINI_API_KEY'
    expect(await check(unset)).toMatchObject({ status: 'off', message: `Not set up: ${variable} is not set` })
    await other.close()
    await close()
  })

  test('a queue that is not open is a failed check, not a failed call', async () => {
    const closed = await startApp({ database })
    const { status, body } = await closed.request({ url: '/api/admin/checks/queue', as: admin })
    expect([status, (body as SystemCheckResult).status]).toEqual([200, 'failed'])
    expect(await app.db.$count(settings, like(settings.key, 'probe:%'))).toBe(0)
    await closed.close()
  })
})

function collect(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
}
