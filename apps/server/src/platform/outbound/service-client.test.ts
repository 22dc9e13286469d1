import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createServiceClient, type ServiceClient } from './service-client.ts'

let close: () => Promise<void>
afterEach(() => close())

/** A service that closes each connection with its second call, unanswered. */
async function startForgetful() {
  const calls: string[] = []
  const seen = new WeakSet<object>()
  const server = createServer((request, response) => {
    calls.push(request.method ?? '')
    if (seen.has(request.socket)) return request.socket.destroy()
    seen.add(request.socket)
    return response.end('here')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = createServiceClient()
  close = async () => {
    await client.close()
    server.close()
  }
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return { client, calls, url }
}

async function ask(client: ServiceClient, url: URL, method: 'GET' | 'POST') {
  const reply = await client.call({ url, method, signal: AbortSignal.timeout(10_000), maxBytes: 100 })
  // The connection is kept for the next call a moment after the answer's end.
  await delay(20)
  return reply
}

test('a read goes out once more where the service had closed the kept connection', async () => {
  const { client, calls, url } = await startForgetful()
  await ask(client, url, 'GET')
  expect((await ask(client, url, 'GET')).body.toString()).toBe('here')
  expect(calls).toEqual(['GET', 'GET', 'GET'])
})

test('what may change something does not', async () => {
  const { client, calls, url } = await startForgetful()
  await ask(client, url, 'GET')
  await expect(ask(client, url, 'POST')).rejects.toThrow()
  expect(calls).toEqual(['GET', 'POST'])
})
