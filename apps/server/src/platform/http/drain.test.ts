import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import type { TestApp } from '../../testing/harness.ts'

const STOPPING = 'This process is stopping. Try again in a moment.'

let library: ChainLibrary
let other: TestApp
beforeAll(async () => {
  library = await startChainLibrary('server')
  await library.app.start()
  other = await library.startProcess()
  await other.app.start()
})
afterAll(async () => {
  await other.close()
  await library.close()
})

test('A process that is asked to stop says so on `/readyz`, begins nothing that lasts, gives runs back between steps, and tells those who watch to come back; with `DRAIN_SECONDS` it answers short calls meanwhile.', async () => {
  const chain = await library.buildChain(['one', 'two'])
  const answer = Promise.withResolvers<void>()
  library.fake.reply({ text: 'A', before: () => answer.promise }, { text: 'B' })
  const id = await library.execute(chain.id)
  await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
  const address = await library.http.listen({ host: '127.0.0.1', port: 0 })
  const stream = await fetch(`${address}/api/executions/${id}/events`, { headers: library.owner.headers })
  // It has sent the state, as its headers are there.
  await delay(50)
  await library.app.drain()

  const sent = await stream.text()
  expect(sent).toContain('event: state')
  expect(sent).not.toContain('event: end')
  expect(sent.split('\n\n').at(-2)).toBe('retry: 1000')

  const ready = await library.request({ url: '/readyz' })
  expect([ready.status, ready.body]).toEqual([503, { error: 'Not ready: process' }])
  expect((await library.request({ url: '/healthz' })).status).toBe(200)
  const read = await fetch(`${address}/api/chains`, { headers: library.owner.headers })
  expect([read.status, read.headers.get('connection')]).toEqual([200, 'close'])
  const prompt = { promptId: 1, model: 'openai', variables: {} }
  const refused = [
    await library.request({ url: `/api/executions/${id}/events`, as: library.owner }),
    await library.request({ method: 'POST', url: '/api/execute-prompt', body: prompt, as: library.owner }),
  ]
  for (const { status, body, headers } of refused)
    expect([status, body, headers['retry-after']]).toEqual([503, { error: STOPPING }, '1'])
  const call = { model: 'any', messages: [{ role: 'user', content: 'hi' }] }
  const v1 = await library.request({ method: 'POST', url: '/v1/chat/completions', body: call })
  expect([v1.status, v1.body]).toMatchObject([503, { error: { message: STOPPING } }])

  // A run that is started here waits for another process, which also goes on with the one under way.
  const later = await library.execute((await library.buildChain(['three'])).id)
  expect((await library.ended(later)).status).toBe('completed')
  answer.resolve()
  expect((await library.ended(id)).status).toBe('completed')
  expect(library.sent()).toEqual(['one', 'three', 'two'])
  const { rows } = await library.client.pool.query('select attempt from executions where id = $1', [id])
  expect(rows).toEqual([{ attempt: 2 }])
})
