import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createBareHttp } from '../../testing/bare-http.ts'
import { databaseKinds, openTestDatabase } from '../../testing/database.ts'
import { startApp, type TestApp } from '../../testing/harness.ts'
import { readVersion } from '../../version.ts'
import { healthRoutes } from './health.ts'

describe.each(databaseKinds)('health on the %s database', (kind) => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  const start = async (settings: NonNullable<Parameters<typeof startApp>[0]>['settings'] = {}) => {
    const database = await openTestDatabase(kind)
    const app: TestApp = await startApp({ database, settings })
    closing.push(database.close, app.close)
    const ready = async () => {
      const { status, body } = await app.request({ url: '/readyz' })
      return [status, body]
    }
    return { app, database, ready }
  }

  it('is ready from the start of the queue to its stop, and lives throughout', async () => {
    const { app, ready } = await start()
    expect(await ready()).toEqual([503, { error: 'Not ready: queue' }])
    await app.app.start()
    expect(await ready()).toEqual([200, { status: 'ready' }])
    expect((await app.request({ url: '/healthz' })).body).toEqual({ status: 'ok', ...readVersion() })
    const closed = app.app.close()
    expect((await ready())[0]).toBe(503)
    await closed
  })

  it('is not ready without its tables', async () => {
    const { app, database, ready } = await start()
    await app.app.start()
    await database.client.pool.query('alter table settings rename to settings_away')
    expect(await ready()).toEqual([503, { error: 'Not ready: database' }])
    await database.client.pool.query('alter table settings_away rename to settings')
    expect((await ready())[0]).toBe(200)
  })

  it('shows its metrics only where they are switched on', async () => {
    const { app: quiet } = await start()
    expect((await quiet.request({ url: '/metrics' })).status).toBe(404)
    const { app } = await start({ metrics: true })
    await app.request({ url: '/api/prompts/7' })
    const { text, headers } = await app.request({ url: '/metrics' })
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/prompts/:id",status="404"} 1',
    )
  })

  it('says of itself what every visitor may know', async () => {
    const { app } = await start({ registration: 'closed' })
    const ask = () => app.request({ url: '/api/instance' })
    expect((await ask()).body).toMatchObject({ registration: 'first', sandbox: true })
    await app.registerUser()
    const { status, body } = await ask()
    expect(status).toBe(200)
    expect(body).toMatchObject({ registration: 'closed', sandbox: true, ...readVersion() })
    expect((body as { models: { configured: boolean }[] }).models.map((model) => model.configured)).toEqual(
      Array.from({ length: 3 }, () => true),
    )
  })
})

describe('a stop', () => {
  const serve = async (endCalls: () => Promise<void> = async () => {}) => {
    const server = await createBareHttp({ endCalls })
    healthRoutes({ checks: {} })(server, {
      ctx: {} as never,
      limitRuns: async () => {},
      limitStreams: async () => {},
    })
    const gate = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    server.get('/endless', (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.raw.write('data: 1\n\n')
    })
    server.get('/slow', async () => {
      entered.resolve()
      await gate.promise
      return { done: true }
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.server.address() as AddressInfo
    const open = async (path: string) => {
      const [response] = await once(http.get({ port, path, agent: false }), 'response')
      return response as http.IncomingMessage
    }
    return { server, port, open, gate, entered: entered.promise }
  }

  it('cuts an endless stream', async () => {
    const { server, open } = await serve()
    const stream = await open('/endless')
    await once(stream, 'data')
    const cut = once(stream, 'error')
    await server.close()
    expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' })
  })

  it('lets a call under way answer', async () => {
    const { server, open, gate, entered } = await serve()
    const reply = open('/slow')
    await entered
    const closed = server.close()
    await delay(100)
    gate.resolve()
    const response = await reply
    expect(response.statusCode).toBe(200)
    expect(String((await once(response, 'data'))[0])).toBe('{"done":true}')
    await closed
  })

  it('While it stops, each call is refused with a time to ask again, in the form of any refusal; `/healthz` still answers.', async () => {
    const { port, open, gate, entered, server } = await serve()
    const reply = open('/slow')
    await entered
    const closed = server.close()
    await delay(100)
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    const refused = await ask('/readyz')
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '1',
      { error: 'This process is stopping. Try again in a moment.' },
    ])
    expect((await ask('/healthz')).status).toBe(200)
    gate.resolve()
    await reply
    await closed
  })

  it('does not wait forever, neither for a call nor for what is to end the calls', async () => {
    const { server, open, entered } = await serve(() => new Promise(() => {}))
    const reply = open('/slow')
    const failed = expect(reply).rejects.toThrow('socket hang up')
    await entered
    await server.close()
    await failed
  })
})
