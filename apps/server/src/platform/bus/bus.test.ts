import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../log/log.ts'
import { type Bus, connectBus } from './bus.ts'

/** Speaks as much of Redis as a bus needs; `isSilent`, it takes what is published and carries none of it. */
class FakeRedis {
  isSilent = false
  published = 0
  connected = 0
  readonly #subscribers = new Map<Socket, string>()
  readonly #server: Server

  constructor() {
    this.#server = createServer((socket) => {
      this.connected += 1
      let rest = ''
      socket.on('error', () => {})
      socket.on('close', () => this.#subscribers.delete(socket))
      socket.on('data', (bytes) => {
        rest += bytes.toString()
        for (let command = takeCommand(rest); command !== undefined; command = takeCommand(rest)) {
          rest = rest.slice(command.length)
          this.#answer(socket, command.words)
        }
      })
    })
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    return `redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    await closed
  }

  #answer(socket: Socket, [name = '', channel = '', payload = '']: string[]): void {
    if (name.toLowerCase() === 'subscribe') {
      this.#subscribers.set(socket, channel)
      socket.write(`*3\r\n${bulk('subscribe')}${bulk(channel)}:1\r\n`)
    } else if (name.toLowerCase() === 'publish') {
      this.published += 1
      const hearing = [...this.#subscribers].filter(([, subscribed]) => subscribed === channel)
      if (!this.isSilent)
        for (const [hearer] of hearing)
          hearer.write(`*3\r\n${bulk('message')}${bulk(channel)}${bulk(payload)}`)
      socket.write(`:${hearing.length}\r\n`)
    } else socket.write('+OK\r\n')
  }
}

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`

/** The first of what came, and how long it is; undefined until all of it is there. */
function takeCommand(bytes: string): { words: string[]; length: number } | undefined {
  const lines = bytes.split('\r\n')
  const words = Number(lines[0]?.slice(1))
  const taken = lines.slice(0, 1 + words * 2)
  if (lines.length < taken.length + 1 || taken.length < 1 + words * 2 || lines[0] === '') return undefined
  return { words: taken.filter((_, at) => at > 0 && at % 2 === 0), length: taken.join('\r\n').length + 2 }
}

const SECOND = 1_000
let redis: FakeRedis
let bus: Bus
let lines: string[]

beforeEach(async () => {
  // Only what asks each second: the connections go on by the clock.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  redis = new FakeRedis()
  lines = []
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } })
  bus = connectBus({ url: await redis.listen(), log })
  await vi.waitFor(() => expect(bus.isUp).toBe(true))
})
afterEach(async () => {
  bus.close()
  vi.useRealTimers()
  await redis.close()
})

/** A probe is sent and taken. */
async function probe(): Promise<void> {
  const before = redis.published
  vi.advanceTimersByTime(SECOND)
  await vi.waitFor(() => expect(redis.published).toBeGreaterThan(before))
}

test('a bus that takes what is sent and falls silent is away after three probes, and back once it carries again', async () => {
  redis.isSilent = true
  for (const _ of [1, 2, 3]) await probe()
  expect(bus.isUp).toBe(true)
  const { connected } = redis
  vi.advanceTimersByTime(SECOND)
  expect([bus.isUp, bus.problem]).toEqual([false, 'what was sent to it did not come back'])
  expect(await bus.send(bus.self, 'a text')).toBe(false)
  redis.isSilent = false
  await vi.waitFor(() => expect(bus.isUp).toBe(true))
  // By new connections: one of the old ones may have been what was dead.
  expect(redis.connected).toBe(connected + 2)
  expect(lines.filter((line) => line.includes('the bus is away'))).toHaveLength(1)
})

test('two probes that are lost change nothing', async () => {
  redis.isSilent = true
  for (const _ of [1, 2]) await probe()
  redis.isSilent = false
  for (const _ of [1, 2, 3, 4]) await probe()
  expect(bus.isUp).toBe(true)
  expect(lines.filter((line) => line.includes('away'))).toEqual([])
})
