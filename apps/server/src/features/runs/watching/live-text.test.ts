import type { Chain } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { DatabaseClient } from '../../../database/open/client.ts'
import { connectBus } from '../../../platform/bus/bus.ts'
import { createLog } from '../../../platform/log/log.ts'
import { systemClock } from '../../../platform/models/retry.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import type { TestApp } from '../../../testing/harness.ts'
import { Watcher } from '../../../testing/watcher.ts'

/** A note on its way to a process, which `pass` lets through. */
type Deliver = (note: { channel: string; payload: string; pass: () => void }) => void

/** The same database, for a process whose notes go through `deliver`. */
function withNotes(client: DatabaseClient, deliver: Deliver): DatabaseClient {
  return {
    ...client,
    listen: (subscription) =>
      client.listen({
        ...subscription,
        onNotify: (payload) =>
          deliver({
            channel: subscription.channel,
            payload,
            pass: () => subscription.onNotify(payload),
          }),
      }),
  }
}

/** All that was sent of a step's text, as it came. */
const sentTo = ({ events }: Watcher) =>
  events.flatMap(({ event, data }) => (event === 'delta' ? [String(data.text)] : [])).join('')

/** Opens once, for all who wait. */
function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

async function listen(process: Pick<TestApp, 'http'>): Promise<string> {
  return process.http.listen({ host: '127.0.0.1', port: 0 })
}

describe('the text of a run that goes on in another process', () => {
  let library: ChainLibrary
  let worker: TestApp
  let chain: Chain
  let address: string
  beforeAll(async () => {
    library = await startChainLibrary('server', { clock: systemClock }, { role: 'web' })
    await library.app.start()
    worker = await library.startProcess({ role: 'worker' })
    await worker.app.start()
    chain = await library.buildChain(['one'])
    address = await listen(library)
  })
  afterAll(async () => {
    await worker.close()
    await library.close()
  })
  beforeEach(() => library.fake.reset())

  const watch = (id: number, at = address) => new Watcher(`${at}/api/executions/${id}/events`, library.owner)

  async function startWeb(deliver: Deliver): Promise<string> {
    const web = await library.startProcess({ role: 'web' }, withNotes(library.client, deliver))
    onTestFinished(() => web.close())
    await web.app.start()
    return listen(web)
  }

  test('A run’s text goes to the processes where it is followed, and wakes no other.', async () => {
    const heard: { channel: string; payload: string }[] = []
    const idle = await startWeb(({ pass, ...note }) => {
      heard.push(note)
      pass()
    })
    library.fake.replyByDefault({ text: ['All ', 'of ', 'it'], delayMs: 150 })
    const first = watch(await library.execute(chain.id))
    await first.done
    expect(first.text(0)).toBe('All of it')
    expect(heard.length).toBeGreaterThan(0)
    expect(heard.filter(({ channel }) => channel !== 'catenary_runs')).toEqual([])
    expect(heard.filter(({ payload }) => /All|"changes"/.test(payload))).toEqual([])

    const here = watch(await library.execute(chain.id), idle)
    await here.done
    expect(here.text(0)).toBe('All of it')
    expect(heard.filter(({ payload }) => /"text":"All /.test(payload))).toHaveLength(1)
  })

  test('Who follows a run later, in whichever process, gets all so far, and nobody gets any of it twice.', async () => {
    const gates = ['', '', '', ''].map(createGate)
    const text = ['All ', 'of ', 'it ', 'came']
    library.fake.reply({ text, before: (index) => gates[index]?.opened })
    const late = await startWeb(({ pass }) => pass())
    const id = await library.execute(chain.id)
    const first = watch(id)
    gates[0]?.open()
    gates[1]?.open()
    await vi.waitFor(() => expect(first.text(0)).toBe('All of '))
    const second = watch(id, late)
    await vi.waitFor(() => expect(second.text(0)).toBe('All of '))
    gates[2]?.open()
    await vi.waitFor(() => expect([first.text(0), second.text(0)]).toEqual(['All of it ', 'All of it ']))
    gates[3]?.open()
    await Promise.all([first.done, second.done])
    expect([sentTo(first), sentTo(second)]).toEqual([text.join(''), text.join('')])
  })

  test('The text of a run is whole though messages are lost, come twice or overtake each other.', async () => {
    const held: (() => void)[] = []
    let count = 0
    const fates: Deliver[] = [
      ({ pass }) => pass(),
      () => {},
      ({ pass }) => {
        pass()
        pass()
      },
      ({ pass }) => void held.push(pass),
      ({ pass }) => {
        pass()
        for (const before of held.splice(0)) before()
      },
    ]
    const rough = await startWeb((note) => {
      if (note.channel === 'catenary_runs') return note.pass()
      fates[count % fates.length]?.(note)
      count += 1
    })
    const text = Array.from({ length: 20 }, (_, index) => `${index} `)
    library.fake.reply({ text, delayMs: 150, fault: 'silence' })
    const id = await library.execute(chain.id)
    const watcher = watch(id, rough)
    await vi.waitFor(() => expect(watcher.text(0)).toBe(text.join('')))
    expect(sentTo(watcher)).toBe(text.join(''))
    expect(count).toBeGreaterThan(fates.length)
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })
    await watcher.done
  })

  test('what no process of ours wrote to the channel of one is left aside', async () => {
    const channels = new Set<string>()
    const web = await startWeb(({ channel, pass }) => {
      channels.add(channel)
      pass()
    })
    const watched = async () => {
      const followed = createGate()
      library.fake.replyByDefault({
        text: ['All ', 'of ', 'it'],
        delayMs: 150,
        before: () => followed.opened,
      })
      const watcher = watch(await library.execute(chain.id), web)
      await vi.waitFor(() => expect(watcher.events).not.toHaveLength(0))
      followed.open()
      await watcher.done
      return watcher.text(0)
    }
    expect(await watched()).toBe('All of it')
    const [own] = [...channels].filter((channel) => channel !== 'catenary_runs')
    for (const payload of [
      '',
      'text',
      'null',
      '{"sender":1}',
      '{"sender":"x","number":1,"changes":[null,{}]}',
    ])
      await library.client.pool.query('select pg_notify($1, $2)', [own, payload])
    expect(await watched()).toBe('All of it')
  })
})

test('A bus that is away from the start costs a line in the log: text goes by the database.', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } })
  const bus = connectBus({ url: 'redis://someone:canary@127.0.0.1:1', log })
  const settings = { role: 'web', metrics: true } as const
  const library = await startChainLibrary('server', { clock: systemClock }, settings, { bus, log })
  onTestFinished(() => library.close())
  await library.app.start()
  const worker = await library.startProcess({ role: 'worker' })
  onTestFinished(() => worker.close())
  await worker.app.start()
  const chain = await library.buildChain(['one'])
  library.fake.replyByDefault({ text: ['All ', 'of ', 'it'], delayMs: 150 })
  const address = await listen(library)
  const watcher = new Watcher(
    `${address}/api/executions/${await library.execute(chain.id)}/events`,
    library.owner,
  )
  await watcher.done
  expect(sentTo(watcher)).toBe('All of it')
  expect(lines.filter((line) => line.includes('bus'))).toHaveLength(1)
  expect(lines.join('')).toContain('ECONNREFUSED')
  expect(lines.join('')).not.toContain('canary')
  expect((await library.request({ url: '/metrics' })).text).toMatch(/^bus_up 0$/m)
  const { text } = await worker.request({ url: '/metrics' })
  expect(text).toMatch(/^run_messages_total\{way="database",what="text"\} [1-9]/m)
  expect(text).not.toMatch(/way="bus"/)
})
