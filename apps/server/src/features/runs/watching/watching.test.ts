import type { Chain, RunState } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sessions } from '../../../database/schema/index.ts'
import { systemClock } from '../../../platform/models/retry.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import type { TestApp } from '../../../testing/harness.ts'
import { type Watched, Watcher } from '../../../testing/watcher.ts'

const stateOf = ({ data }: Watched) => data as unknown as RunState
const statuses = (state: Watched) => stateOf(state).steps.map(({ status }) => status)

describe.each(['in the same process', 'in another process'])('watching a run that goes on %s', (place) => {
  let library: ChainLibrary
  let worker: TestApp | undefined
  let chain: Chain
  let address: string
  beforeAll(async () => {
    const isOther = place === 'in another process'
    const kind = isOther ? 'server' : 'embedded'
    library = await startChainLibrary(kind, { clock: systemClock }, isOther ? { role: 'web' } : {})
    if (isOther) {
      await library.app.start()
      worker = await library.startProcess({ role: 'worker' })
      await worker.app.start()
    }
    chain = await library.buildChain(['one', 'two {{a}}'], { sharedLevel: 'public' })
    address = await library.http.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await worker?.close()
    await library.close()
  })
  beforeEach(() => library.fake.reset())

  const watch = (id: number, as = library.owner) => new Watcher(`${address}/api/executions/${id}/events`, as)
  const cancel = (id: number) =>
    library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.admin })

  test('A run can be followed here or on another process: its state, text so far, changes and end.', async () => {
    library.fake.reply(
      { text: ['All ', 'of ', 'it'], delayMs: 700 },
      { text: ['And ', 'more'], delayMs: 700 },
    )
    const id = await library.execute(chain.id)
    const watcher = watch(id)
    await watcher.done
    const { events } = watcher
    expect(events[0]).toMatchObject({ event: 'state', data: { id, status: 'running' } })
    expect(events.at(-1)).toEqual({ event: 'end', data: { status: 'completed' } })
    const states = events.filter(({ event }) => event === 'state')
    expect(states.map(statuses)).toContainEqual(['completed', 'running'])
    expect(statuses(states.at(-1) as Watched)).toEqual(['completed', 'completed'])
    expect([watcher.text(0), watcher.text(1)]).toEqual(['All of it', 'And more'])
    expect(events.filter(({ event }) => event === 'delta').length).toBeGreaterThan(2)
  })

  test('a watcher who comes later, or again, gets the text so far', async () => {
    library.fake.reply({ text: ['All ', 'so far'], fault: 'silence' })
    const id = await library.execute(chain.id)
    const first = watch(id)
    await vi.waitFor(() => expect(first.text(0)).toBe('All so far'))
    await first.leave()
    const again = watch(id)
    await vi.waitFor(() => expect(again.text(0)).toBe('All so far'))
    expect(again.events[0]?.event).toBe('state')
    const startsOf = ({ events }: Watcher) =>
      events
        .filter(({ event }) => event === 'state')
        .flatMap((state) => stateOf(state).steps[0]?.startedAt ?? [])
    await vi.waitFor(() => expect(startsOf(again)).toContain(startsOf(first).at(-1) ?? 'no start'))
    await cancel(id)
    await again.done
    expect(again.events.at(-1)).toEqual({ event: 'end', data: { status: 'cancelled' } })
  })

  test('an answer that is requested again starts over, and the retry is reported', async () => {
    library.fake.reply(
      { text: ['broken ', 'off'], delayMs: 150, fault: 'reset' },
      { text: 'whole', delayMs: 300 },
    )
    const id = await library.execute(chain.id)
    const watcher = watch(id)
    await watcher.done
    expect(watcher.text(0)).toBe('whole')
    const tries = watcher.events
      .filter(({ event }) => event === 'state')
      .flatMap((state) => stateOf(state).steps[0] ?? [])
    expect(tries.map(({ retries }) => retries)).toContain(1)
    expect(new Set(tries.flatMap(({ startedAt }) => startedAt ?? [])).size).toBe(1)
  })

  test('what a step waits for, until it goes on', async () => {
    library.fake.reply({ status: 429, retryAfter: '1.5' }, { text: ['All ', 'of it'], delayMs: 300 }, {})
    const id = await library.execute(chain.id)
    const watcher = watch(id)
    await watcher.done
    expect(watcher.text(0)).toBe('All of it')
    const first = watcher.events
      .filter(({ event }) => event === 'state')
      .flatMap((state) => stateOf(state).steps[0] ?? [])
    const waiting = first.filter(({ waitsFor }) => waitsFor !== undefined)
    expect(waiting[0]).toMatchObject({
      retries: 1,
      waitsFor: { vendor: 'OpenAI', isOverload: false, until: expect.any(String) },
    })
    expect(first.at(-1)).toMatchObject({ status: 'completed', limitWaitMs: expect.any(Number) })
    expect(first.at(-1)).not.toHaveProperty('waitsFor')
  })

  test('a long text arrives whole, letter for letter', async () => {
    const piece = `"\\ä€😀\u0001\n${'x'.repeat(2_000)}`
    library.fake.reply({ text: Array.from({ length: 100 }, () => piece), fault: 'silence' })
    const id = await library.execute(chain.id)
    const watcher = watch(id)
    await vi.waitFor(() => expect(watcher.text(0)).toHaveLength(piece.length * 100))
    expect(watcher.text(0)).toBe(piece.repeat(100))
    await cancel(id)
    await watcher.done
  })

  test('a run that has ended is reported at once', async () => {
    const id = await library.execute(chain.id)
    await library.ended(id)
    const watcher = watch(id)
    await watcher.done
    expect(watcher.events.map(({ event }) => event)).toEqual(['state', 'end'])
  })

  test('A revoked share, an ended session or a deletion ends the stream.', async () => {
    library.fake.replyByDefault({ text: ['so far'], fault: 'silence' })
    const id = await library.execute(chain.id, undefined, library.other)
    const setLevel = (sharedLevel: string) =>
      library.request({
        method: 'PATCH',
        url: `/api/chains/${chain.id}`,
        body: { sharedLevel },
        as: library.owner,
      })
    const revoked = watch(id, library.other)
    await vi.waitFor(() => expect(revoked.events.length).toBeGreaterThan(0))
    await setLevel('private')
    await revoked.done
    expect(revoked.events.at(-1)?.event).not.toBe('end')
    expect((await library.request({ url: `/api/executions/${id}`, as: library.other })).status).toBe(404)
    await setLevel('public')

    const signedOut = watch(id, library.other)
    await vi.waitFor(() => expect(signedOut.events.length).toBeGreaterThan(0))
    await library.db.delete(sessions).where(eq(sessions.userId, library.other.user.id))
    await signedOut.done
    expect(signedOut.events.at(-1)?.event).not.toBe('end')

    const own = await library.execute(chain.id)
    const deleted = watch(own)
    await vi.waitFor(() => expect(deleted.events.length).toBeGreaterThan(0))
    await library.request({ method: 'DELETE', url: `/api/executions/${own}`, as: library.owner })
    await deleted.done
    await cancel(id)
  })
})
