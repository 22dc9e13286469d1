import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Chain } from '@catenary/contracts'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'

/** A thousand of them open for a minute where four programs share two cores. */
const STREAMS = inject('everyDatabase') ? 1_000 : 200
const RUNS = 10
const AT_ONCE = 50
const TIMEOUT_MS = 120_000

describe.each(routeDatabaseKinds)('many watchers, on %s', (kind) => {
  let library: ChainLibrary
  let chain: Chain
  let port: number
  const sockets = new Set<Socket>()
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    await library.app.start()
    chain = await library.buildChain(['one'])
    await library.http.listen({ host: '127.0.0.1', port: 0 })
    port = (library.http.server.address() as AddressInfo).port
    library.http.server.on('connection', (socket) => sockets.add(socket))
  })
  afterAll(() => library.close())
  beforeEach(() => {
    library.fake.reset()
    sockets.clear()
  })

  async function open(id: number): Promise<IncomingMessage> {
    const path = `/api/executions/${id}/events`
    const request = http.get({ host: '127.0.0.1', port, path, headers: library.owner.headers, agent: false })
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    expect(reply.statusCode).toBe(200)
    return reply
  }

  const cancel = (id: number) =>
    library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })

  test(
    '1,000 open streams are held while lists answer, and ask the database next to nothing while nothing happens.',
    async () => {
      library.fake.replyByDefault({ text: ['so far'], fault: 'silence' })
      const ids: number[] = []
      for (let run = 0; run < RUNS; run += 1) ids.push(await library.execute(chain.id))
      const texts = Array.from({ length: STREAMS }, () => '')
      const ends: Promise<unknown>[] = []
      const openOne = async (index: number) => {
        const reply = await open(ids[index % RUNS] ?? 0)
        reply.setEncoding('utf8').on('data', (piece: string) => {
          texts[index] += piece
        })
        ends.push(once(reply, 'end'))
      }
      for (let first = 0; first < STREAMS; first += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => openOne(first + index)))
      await vi.waitFor(() => expect(texts.every((text) => text.includes('"text":"so far"'))).toBe(true))

      for (let read = 0; read < 20; read += 1) {
        for (const url of ['/api/chains', `/api/chains/${chain.id}/executions`])
          expect((await library.request({ url, as: library.owner })).status).toBe(200)
      }
      const { $client } = library.db as unknown as { $client: pg.Pool }
      const query = vi.spyOn($client, 'query')
      await delay(3_000)
      // The rights of each are looked at every few seconds, and are in memory.
      expect(query.mock.calls.length).toBeLessThan(STREAMS / 10)
      query.mockRestore()

      for (const id of ids) await cancel(id)
      await Promise.all(ends)
      // Where a thousand take more than a minute, the model's silence has ended the runs before.
      expect(
        texts.filter((text) => /event: end\ndata: {"status":"(cancelled|failed)"}/.test(text)),
      ).toHaveLength(STREAMS)
    },
    TIMEOUT_MS,
  )

  test('A slow reader does not grow memory.', async () => {
    // Six bytes on the wire for each of them: more than the system's own buffers take.
    const [pieces, length] = [38, 100_000]
    const text = Array.from({ length: pieces }, () => '\u0001'.repeat(length))
    library.fake.reply({ text, fault: 'silence' })
    const id = await library.execute(chain.id)
    const counted = (reply: IncomingMessage) => {
      const seen = { count: 0 }
      reply.setEncoding('latin1').on('data', (data: string) => {
        seen.count += data.split('0001').length - 1
      })
      return seen
    }
    const slow = await open(id)
    const [socket] = sockets
    const quick = await open(id)
    const read = counted(quick)
    await vi.waitFor(() => expect(read.count).toBeGreaterThan(0.99 * pieces * length))
    expect(socket?.bytesWritten).toBeLessThan(pieces * length * 6)
    expect(socket?.writableLength).toBeLessThan(500_000)
    const readLate = counted(slow)
    await vi.waitFor(() => expect(readLate.count).toBeGreaterThan(0.99 * pieces * length))
    const ended = Promise.all([once(slow, 'end'), once(quick, 'end')])
    await cancel(id)
    await ended
  })
})
