import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'

let library: ChainLibrary
let address: string
beforeAll(async () => {
  library = await startChainLibrary('embedded', {}, { quotas: { streams: 2 } })
  await library.http.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(library.http.server.address() as AddressInfo).port}`
})
afterAll(() => library.close())

test('so many streams are open for a person at once, and one that is left makes room', async () => {
  library.fake.replyByDefault({ text: ['stuck'], fault: 'silence' })
  const chain = await library.buildChain(['one'], { sharedLevel: 'public' })
  const id = await library.execute(chain.id)
  const leave = new AbortController()
  const watch = (signal?: AbortSignal) =>
    fetch(`${address}/api/executions/${id}/events`, {
      headers: library.owner.headers,
      ...(signal && { signal }),
    })
  expect((await watch(leave.signal)).status).toBe(200)
  const second = await watch()
  expect(second.status).toBe(200)
  const refused = await watch()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
  expect(await refused.json()).toEqual({
    error:
      'You can have 2 streams open, and all are in use. ' +
      'Close a page that shows a run, or ask an administrator for more.',
  })
  const prompt = await library.createPrompt(library.owner)
  const run = (accept: string) =>
    library.request({
      method: 'POST',
      url: '/api/execute-prompt',
      body: { promptId: prompt.id, processedContent: 'Hello', model: 'openai' },
      headers: { accept },
      as: library.owner,
    })
  expect((await run('text/event-stream')).status).toBe(429)
  library.fake.replyByDefault({ text: 'ok' })
  // What is no stream takes no place among them.
  expect((await run('application/json')).status).toBe(200)
  leave.abort()
  await vi.waitFor(async () => expect((await watch()).status).toBe(200))
  await second.body?.cancel()
})
