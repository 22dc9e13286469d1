import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import { countWaiting } from '../../../testing/library.ts'

const CHAT = '/v1/chat/completions'
const ask = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] }

// The embedded database has one session, so that no call comes between two statements of another.
let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('server')
})
afterAll(() => gateway.close())

test('A repeat of a resumed call with its key follows it from the first moment.', async () => {
  const { value } = await gateway.serve(['one {{input}}', 'two {{a}}'])
  gateway.fake.reply({ text: 'A' }, { status: 401 })
  const failed = await gateway.post(CHAT, value, ask)
  expect(failed.status).toBe(400)
  gateway.fake.reset()
  const run = failed.headers.get('x-catenary-execution') ?? ''
  const resume = () =>
    gateway.post(CHAT, value, ask, { 'x-catenary-resume': run, 'idempotency-key': 'again' })

  const { calls } = await gateway.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from executions where id = ${Number(run)} for update`)
    const first = resume()
    await vi.waitFor(async () => expect(await countWaiting(gateway.db)).toBe(1))
    const second = resume()
    const waits = vi.waitFor(async () => expect(await countWaiting(gateway.db)).toBe(2))
    await Promise.race([second, waits])
    return { calls: [first, second] }
  })
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200])
  expect(gateway.fake.journal).toHaveLength(1)
})
