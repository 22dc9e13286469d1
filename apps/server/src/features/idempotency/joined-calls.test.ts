import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { idempotencyKeys } from '../../database/schema/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { createBareHttp } from '../../testing/bare-http.ts'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { startApp } from '../../testing/harness.ts'
import { beginCall } from './repeat-calls.ts'

const log = createLog({ level: 'silent' })
const LEASE_SECONDS = 2
const USER = { id: 1, username: 'ada', email: 'ada@example.org', role: 'user' } as const

/** What `/api/slow` answers with, in turn, each when the test says so. */
class SlowCalls {
  readonly replies: PromiseWithResolvers<{ status: number; cookie?: boolean }>[] = []
  readonly #seen: (() => void)[] = []

  next() {
    const reply = Promise.withResolvers<{ status: number; cookie?: boolean }>()
    this.replies.push(reply)
    for (const seen of this.#seen.splice(0)) seen()
    return reply.promise
  }

  async entered(count: number) {
    while (this.replies.length < count) await new Promise<void>((resolve) => this.#seen.push(resolve))
    return this.replies.at(-1) as PromiseWithResolvers<{ status: number; cookie?: boolean }>
  }
}

describe.each(databaseKinds)('a write that still runs, on the %s database', (kind) => {
  const database = useTestDatabase(kind)
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
    await database.reset()
  })

  /** One process: its own server and context on the shared database. */
  const startProcess = async (calls: SlowCalls) => {
    const app = await startApp({ database })
    const http = await createBareHttp({
      log,
      findUser: async () => USER,
      idempotency: { begin: (call) => beginCall(app.ctx, { ...call, leaseSeconds: LEASE_SECONDS }) },
    })
    const handle = async () => {
      const number = calls.replies.length + 1
      return { number, ...(await calls.next()) }
    }
    http.post('/api/slow', async (_request, reply) => {
      const { number, status, cookie } = await handle()
      if (cookie === true) reply.header('set-cookie', 'a=b')
      return reply.code(status).send({ number })
    })
    http.post('/api/unkept', { config: { idempotency: 'off' } }, async (_request, reply) => {
      const { number, status } = await handle()
      return reply.code(status).send({ number })
    })
    closing.push(() => http.close(), app.close)
    return async (url = '/api/slow', headers: Record<string, string> = {}) => {
      const reply = await http.inject({
        method: 'POST',
        url,
        headers: { 'idempotency-key': 'k', ...headers },
      })
      return {
        status: reply.statusCode,
        body: reply.json(),
        replayed: 'idempotent-replayed' in reply.headers,
      }
    }
  }

  it('is joined by its retry in the same process', async () => {
    const calls = new SlowCalls()
    const send = await startProcess(calls)
    const first = send()
    const reply = await calls.entered(1)
    const retry = send()
    await delay(50)
    reply.resolve({ status: 200 })
    expect(await first).toEqual({ status: 200, body: { number: 1 }, replayed: false })
    expect(await retry).toEqual({ status: 200, body: { number: 1 }, replayed: true })
    expect(calls.replies).toHaveLength(1)
  })

  it('is joined by its retry in another process, also after its first lease', async () => {
    const calls = new SlowCalls()
    const [here, there] = [await startProcess(calls), await startProcess(calls)]
    const first = here()
    const reply = await calls.entered(1)
    const retry = there()
    await delay(LEASE_SECONDS * 1_500)
    reply.resolve({ status: 200 })
    expect([await first, await retry]).toEqual([
      { status: 200, body: { number: 1 }, replayed: false },
      { status: 200, body: { number: 1 }, replayed: true },
    ])
    expect(calls.replies).toHaveLength(1)
  })

  it.each([500, 502, 503, 429])(
    'and ends with %i answers who waits the same, and runs again later',
    async (status) => {
      const calls = new SlowCalls()
      const send = await startProcess(calls)
      const both = [send(), calls.entered(1).then(() => send())]
      const reply = await calls.entered(1)
      await delay(50)
      reply.resolve({ status })
      expect((await Promise.all(both)).map((one) => one.status)).toEqual([status, status])
      const later = send()
      ;(await calls.entered(2)).resolve({ status: 200 })
      expect(await later).toEqual({ status: 200, body: { number: 2 }, replayed: false })
    },
  )

  it('and sets a cookie is not shared: the retry runs itself', async () => {
    const calls = new SlowCalls()
    const send = await startProcess(calls)
    const first = send()
    const reply = await calls.entered(1)
    const retry = send()
    reply.resolve({ status: 200, cookie: true })
    ;(await calls.entered(2)).resolve({ status: 200 })
    expect([await first, await retry]).toEqual([
      { status: 200, body: { number: 1 }, replayed: false },
      { status: 200, body: { number: 2 }, replayed: false },
    ])
  })

  it('and wants a stream, or whose route keeps nothing, runs each time', async () => {
    const calls = new SlowCalls()
    const send = await startProcess(calls)
    const streams = [
      send('/api/slow', { accept: 'text/event-stream' }),
      send('/api/unkept'),
      send('/api/unkept'),
    ]
    await calls.entered(3)
    for (const reply of calls.replies) reply.resolve({ status: 200 })
    expect((await Promise.all(streams)).map(({ replayed }) => replayed)).toEqual([false, false, false])
    expect(await database.client.db.$count(idempotencyKeys)).toBe(0)
  })

  it('and was taken over leaves the reply to its successor', async () => {
    const { db } = database.client
    const call = { actor: 'user:1', key: 'k', fingerprint: 'f' }
    const beginElsewhere = async () => {
      const app = await startApp({ database })
      closing.push(app.close)
      return beginCall(app.ctx, { ...call, leaseSeconds: 60 })
    }
    const first = await beginElsewhere()
    await db.update(idempotencyKeys).set({ lockedUntil: new Date(0) })
    const second = await beginElsewhere()
    const reply = (body: string) => ({ reply: { status: 200, type: null, body }, keep: true })
    await first.finish?.(reply('first'))
    await second.finish?.(reply('second'))
    expect(await beginElsewhere()).toEqual({ reply: reply('second').reply })
  })
})
