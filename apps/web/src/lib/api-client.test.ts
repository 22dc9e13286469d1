import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { read, readAll, stream, write } from './api-client.ts'
import { logStore } from './diagnostics.ts'
import { ApiError, ConnectionError, errorMessage, RequestTimeoutError } from './errors.ts'

const network = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', network)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  network.mockReset()
})

function json(body: unknown, init: ResponseInit = {}): Response {
  return Response.json(body, init)
}

function sentKeys(): (string | null)[] {
  return network.mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'))
}

/** A server that never answers, but reacts to an abort. */
const silence: typeof fetch = (_url, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
  })

test('Requests send cookies; reads are cross-origin GETs with a parsed JSON result.', async () => {
  network.mockResolvedValue(json({ id: 1, extra: true }))
  expect(await read({ path: '/api/thing', schema: z.object({ id: z.number() }) })).toEqual({ id: 1 })
  expect(network.mock.calls[0]?.[1]).toMatchObject({ credentials: 'include', mode: 'cors' })
})

test('Nobody sees a validator’s own words: a reply that is not what its schema says ‘was not understood’.', async () => {
  network.mockResolvedValue(json({ id: 'one' }))
  await expect(read({ path: '/api/thing', schema: z.object({ id: z.number() }) })).rejects.toThrow(
    /^The server’s answer was not understood\./,
  )
})

test('A read raises on 401.', async () => {
  network.mockResolvedValue(json({ error: 'Not signed in' }, { status: 401 }))
  await expect(read({ path: '/api/thing', schema: z.unknown() })).rejects.toThrow('401: Not signed in')
  expect(network).toHaveBeenCalledTimes(1)
})

test('Reads end after 20 seconds and do not retry.', async () => {
  network.mockImplementation(silence)
  const outcome = read({ path: '/api/thing', schema: z.unknown() }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(19_999)
  expect(network.mock.calls[0]?.[1]?.signal?.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await outcome).toBeInstanceOf(RequestTimeoutError)
  expect(network).toHaveBeenCalledTimes(1)
})

test('Timeouts and connection errors are logged and rethrown.', async () => {
  network.mockRejectedValue(new TypeError('Failed to fetch'))
  await expect(read({ path: '/api/lost', schema: z.unknown() })).rejects.toThrow(ConnectionError)
  expect(logStore.getSnapshot().at(-1)).toMatchObject({
    level: 'warn',
    event: 'connection',
    data: { path: '/api/lost', error: 'ConnectionError: The server could not be reached.' },
  })
})

const OF_BROWSERS = [
  'Failed to fetch',
  'NetworkError when attempting to fetch resource.',
  'Load failed',
  'network error',
  'Error in input stream',
]
const calls = {
  read: () => read({ path: '/api/thing', schema: z.unknown() }),
  list: () => readAll({ path: '/api/things', schema: z.unknown() }),
  write: () => write({ method: 'POST', path: '/api/thing' }),
  stream: async () => {
    for await (const _ of stream({ path: '/api/thing', events: {} }));
  },
}

test.each(OF_BROWSERS.flatMap((text) => Object.entries(calls).map(([kind, call]) => ({ text, kind, call }))))(
  'A browser’s own sentence about the network is never shown: ours stands in its place. ($text, $kind)',
  async ({ text, call }) => {
    network.mockRejectedValue(new TypeError(text))
    const outcome = call().catch((error: unknown) => errorMessage(error))
    await vi.runAllTimersAsync()
    expect(await outcome).toBe('The server could not be reached.')
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const offline = call().catch((error: unknown) => errorMessage(error))
    await vi.runAllTimersAsync()
    expect(await offline).toBe('You are offline.')
  },
)

test.each(OF_BROWSERS)('Nor is it where the answer broke off. (%s)', async (text) => {
  const body = () => new ReadableStream({ start: (stream) => stream.error(new TypeError(text)) })
  network.mockImplementation(async () => new Response(body()))
  await expect(calls.read()).rejects.toThrow('The server could not be reached.')
  await expect(calls.stream()).rejects.toThrow('The server could not be reached.')
})

test.each([
  [{ error: 'first', message: 'second' }, 'first'],
  [{ error: { code: 7 } }, '{"code":7}'],
  [{ message: 'second', details: 'third' }, 'second'],
  [{ details: ['third'] }, '["third"]'],
  [{ other: 1 }, '{"other":1}'],
])(
  'An error reads ‘{status}: {text}’; the text is its error, message, details, or the whole body. (%j, %s)',
  async (body, text) => {
    network.mockResolvedValue(json(body, { status: 400 }))
    await expect(write({ method: 'POST', path: '/api/thing' })).rejects.toThrow(`400: ${text}`)
  },
)

test('Of a reply that is no JSON the error is the reply’s text, else the status text.', async () => {
  network.mockResolvedValueOnce(new Response('Bad gateway, sorry', { status: 502 }))
  await expect(write({ method: 'POST', path: '/api/thing' })).rejects.toThrow('502: Bad gateway, sorry')
  network.mockResolvedValueOnce(new Response('', { status: 503, statusText: 'Service Unavailable' }))
  await expect(write({ method: 'POST', path: '/api/thing' })).rejects.toThrow('503: Service Unavailable')
})

test('Writes retry once, after 1 s, and only when the network failed: doubling and the 5 s cap would need a second retry.', async () => {
  network.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  network.mockResolvedValueOnce(json({ id: 1 }))
  const reply = write({ method: 'POST', path: '/api/thing', body: { a: 1 } })
  await vi.advanceTimersByTimeAsync(999)
  expect(network).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await reply).toEqual({ id: 1 })
  const [first, second] = sentKeys()
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(second).toBe(first)
})

test('a write that never arrives is given up after the second try', async () => {
  network.mockRejectedValue(new TypeError('Failed to fetch'))
  const outcome = write({ method: 'POST', path: '/api/thing' }).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await outcome).toBeInstanceOf(ConnectionError)
  expect(network).toHaveBeenCalledTimes(2)
})

test('a write that runs out of time is tried once more', async () => {
  network.mockImplementationOnce(silence)
  network.mockResolvedValueOnce(new Response(null, { status: 204 }))
  const reply = write({ method: 'DELETE', path: '/api/thing/1' })
  await vi.runAllTimersAsync()
  expect(await reply).toBeUndefined()
  expect(sentKeys()[1]).toBe(sentKeys()[0])
})

test('An error of a write that is not the network’s is raised at once.', async () => {
  network.mockResolvedValue(json({ error: 'Broken' }, { status: 500 }))
  await expect(write({ method: 'POST', path: '/api/thing' })).rejects.toBeInstanceOf(ApiError)
  expect(network).toHaveBeenCalledTimes(1)
})

test('two actions carry two keys', async () => {
  network.mockImplementation(async () => json({}))
  await write({ method: 'POST', path: '/api/thing' })
  await write({ method: 'POST', path: '/api/thing' })
  expect(new Set(sentKeys()).size).toBe(2)
})

test('Writes send JSON and end after 20 seconds. 204 or an empty body is a success, plain text a message.', async () => {
  network.mockResolvedValueOnce(new Response('', { status: 200 }))
  expect(await write({ method: 'POST', path: '/api/thing' })).toBeUndefined()
  network.mockResolvedValueOnce(new Response('Done'))
  expect(await write({ method: 'POST', path: '/api/thing' })).toEqual({ message: 'Done' })
})

const events = { delta: z.object({ text: z.string() }), done: z.object({ result: z.string() }) }

function openStream() {
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  const cancelled = vi.fn()
  network.mockImplementation(async (_url, init) => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(started) {
        controller = started
        init?.signal?.addEventListener('abort', () => started.error(init.signal?.reason))
      },
      cancel: cancelled,
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  const encoder = new TextEncoder()
  return {
    send: (text: string) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
    cancelled,
  }
}

test('a stream gives its events however they are cut, and passes over comments and strangers', async () => {
  const server = openStream()
  const reply = stream({ path: '/api/run', body: {}, events })
  const first = reply.next()
  await vi.advanceTimersByTimeAsync(0)
  server.send(': hello\n\nevent: delta\ndata: {"te')
  server.send('xt":"Hi"}\n\nevent: odd\ndata: 1\n\nevent: done\r\ndata: {"result":"Hi"}\r\n\r\n')
  server.end()
  expect((await first).value).toEqual({ event: 'delta', data: { text: 'Hi' } })
  expect((await reply.next()).value).toEqual({ event: 'done', data: { result: 'Hi' } })
  expect((await reply.next()).done).toBe(true)
})

test('a stream lives as long as it speaks, and ends after 20 seconds of silence', async () => {
  const server = openStream()
  const reply = stream({ path: '/api/run', body: {}, events })
  const first = reply.next()
  await vi.advanceTimersByTimeAsync(15_000)
  server.send(': still there\n\n')
  await vi.advanceTimersByTimeAsync(15_000)
  server.send('event: delta\ndata: {"text":"a"}\n\n')
  expect((await first).value).toEqual({ event: 'delta', data: { text: 'a' } })
  const second = reply.next().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await second).toBeInstanceOf(RequestTimeoutError)
})

test('a person can stop a stream', async () => {
  openStream()
  const stop = new AbortController()
  const reply = stream({ path: '/api/run', body: {}, events, signal: stop.signal })
  const first = reply.next().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(0)
  stop.abort()
  expect(await first).toMatchObject({ name: 'AbortError' })
})

test('a stream that is refused raises the reply', async () => {
  network.mockResolvedValue(json({ error: 'No such prompt' }, { status: 404 }))
  await expect(stream({ path: '/api/run', body: {}, events }).next()).rejects.toThrow('404: No such prompt')
})
