import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { type PausablePostgres, startPausablePostgres } from '../../testing/pausable-postgres.ts'

const AWAY = 'The database is not available. Please try again in a moment.'
const FIVE_CALLS = Array.from({ length: 5 })

let postgres: PausablePostgres
let client: DatabaseClient
let library: Library
beforeAll(async () => {
  postgres = await startPausablePostgres()
  client = await openDatabase({ databaseUrl: postgres.url, dataDir: '', fsync: false, answerLimitMs: 5_000 })
  library = await startLibrary('server', { database: { client }, settings: { quotas: { reads: 250 } } })
  await library.app.start()
  await library.createPrompt(library.owner, { isPublic: true })
})
afterAll(async () => {
  postgres.resume()
  await library.close()
  await client.close()
  await postgres.close()
})

const read = (as = library.owner) => library.request({ url: '/api/prompts', as })
const signIn = () =>
  library.request({
    method: 'POST',
    url: '/api/login',
    body: { username: library.other.user.username, password: library.other.password },
  })

test('while the database is stopped each call is refused with a time to retry; afterwards nobody is charged for it', async () => {
  expect((await read()).status).toBe(200)
  await postgres.pause()
  const asked = [...FIVE_CALLS.map(() => read()), signIn(), signIn()]
  // Once it is known to be silent, calls no longer wait for it.
  await vi.waitFor(async () => {
    const late = await Promise.race([
      read(library.other),
      signIn(),
      new Promise((next) => setTimeout(next, 500)),
    ])
    expect(late).toMatchObject({ status: 503, body: { error: AWAY } })
  })
  for (const { status, headers, text } of await Promise.all(asked)) {
    expect([429, 503], text).toContain(status)
    expect(Number(headers['retry-after']), text).toBeGreaterThan(0)
  }

  postgres.resume()
  await vi.waitFor(async () => expect((await read()).status).toBe(200), { interval: 200 })
  const replies = await Promise.all(FIVE_CALLS.map(() => read()))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await signIn()).status).toBe(200)
})
