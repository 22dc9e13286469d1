import type { ActivityRow, ScheduledRun, SeenRunState } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import type { FakeReply } from '../../../testing/fake-providers/fake-reply.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { Watcher } from '../../../testing/watcher.ts'

const SECRET = 'Zebra-4711/"Quartz"'
const LOOK_MS = 200
/** Looks while a run goes on, and after its end. */
const LOOKS = 4

const hex = (text: string) => Buffer.from(text).toString('hex')
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What a model may make of the secret: the answers of two steps. */
const ANSWERS: Record<string, [FakeReply, FakeReply]> = {
  'as it is': [{ text: SECRET }, { text: SECRET }],
  'in capitals': [{ text: SECRET.toUpperCase() }, { text: 'So it is.' }],
  'the other way round': [{ text: [...SECRET].reverse().join('') }, { text: 'So it is.' }],
  'in base64': [{ text: base64(SECRET) }, { text: 'So it is.' }],
  'in hex': [{ text: hex(SECRET) }, { text: 'So it is.' }],
  'as a part of an address': [{ text: encodeURIComponent(SECRET) }, { text: 'So it is.' }],
  'in JSON': [{ text: JSON.stringify(SECRET) }, { text: 'So it is.' }],
  'by halves': [{ text: SECRET.slice(0, 9) }, { text: SECRET.slice(9) }],
  'a letter a line': [{ text: [...SECRET].join('\n') }, { text: 'So it is.' }],
  'by the number of tokens': [
    { text: 'word '.repeat(90), inputTokens: 90, outputTokens: 90 },
    { text: 'word '.repeat(52), inputTokens: 7, outputTokens: 52 },
  ],
  'by how long it takes': [{ text: ['slow', ' and', ' slower'], delayMs: 300 }, { text: 'So it is.' }],
  'by failing at the first step': [{ status: 400, message: `bad: ${SECRET}` }, { text: '' }],
  'by failing at the second step': [{ text: 'Yes.' }, { status: 400, message: `bad: ${SECRET}` }],
  'by an answer that is cut': [{ text: 'Yes.', finish: 'length' }, { text: 'So it is.' }],
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

describe('a run with a private value, as others see it', () => {
  let library: Gateway
  let editor: TestUser
  let viewer: TestUser
  let share: SharedChains['share']
  /** Every address that reads, as the API page lists them: a new one is walked by itself. */
  let addresses: string[]

  beforeAll(async () => {
    library = await startGateway('embedded')
    ;({ editor, viewer, share } = await startSharingChains(library))
    for (const as of [viewer, editor]) await library.createVariable(as, { name: 'client', content: SECRET })
    const { body } = await library.request({ url: '/api/openapi.json', as: library.owner })
    const { paths } = body as { paths: Record<string, Record<string, unknown>> }
    addresses = Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []))
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  /** What stands for an id in an address: of the run and what it belongs to, else of nothing. */
  const fill = (path: string, ids: { run: number; chain: number; schedule?: number }) => {
    const of: [RegExp, number | undefined][] = [
      [/^\/api\/executions\/\{id\}/, ids.run],
      [/^\/api\/chains\/\{id\}/, ids.chain],
      [/^\/api\/scheduled-runs\/\{id\}/, ids.schedule],
    ]
    const own = of.find(([pattern]) => pattern.test(path))?.[1] ?? 1
    const filled = path
      .replace('{id}', String(own))
      .replaceAll(/\{(executionId)\}/g, String(ids.run))
      .replaceAll(/\{(label)\}/g, 'latest')
      .replaceAll(/\{(\w+)\}/g, '0')
    return filled === '/api/executions' ? `${filled}?promptId=1` : filled
  }
  const NONCE = /nonce="\w+"/g
  const OWN_CLOCK = /"(now|time|at|ms|uptimeSeconds|until|expiresAt|seenAt|linkedUntil)":("[^"]*"|[\d.]+)/g
  /** What they did themselves is theirs, and looking adds to it: refused calls, a download. */
  const byOthers = (rows: ActivityRow[], { user }: TestUser) =>
    JSON.stringify(rows.filter(({ person }) => person?.id !== user.id))
  const seen = async (method: Method, url: string, as: TestUser) => {
    const { status, text, headers, body } = await library.request({ method, url, as })
    if (url === '/api/activity') return `${status} ${byOthers(body as ActivityRow[], as)}`
    const count = headers['x-total-count']
    return `${status} ${count ?? ''} ${text.replaceAll(OWN_CLOCK, '"$1":0').replaceAll(NONCE, '')}`
  }
  const isStream = (path: string) => path.endsWith('/events')
  const look = async (
    ids: { run: number; chain: number; schedule?: number },
    as: TestUser,
    which = addresses,
  ) => {
    const replies: Record<string, string> = {}
    for (const path of which.filter((path) => !isStream(path))) {
      const url = fill(path, ids)
      const reply = await seen('GET', url, as)
      // Some lists are of a chain that the query names.
      const wantsChain = reply.startsWith('400') && reply.includes('chainId')
      replies[path] = wantsChain ? await seen('GET', `${url}?chainId=${ids.chain}`, as) : reply
    }
    return replies
  }
  const near = () => addresses.filter((path) => /executions|latest-chain|scheduled|chains\/\{id\}/.test(path))
  const stream = async (id: number, as: TestUser) => {
    const watcher = new Watcher(`${library.address}/api/executions/${id}/events`, as)
    await watcher.done
    return watcher.events
  }

  /** The states of everything that others read, from before the answer until after the end. */
  async function watch({
    ids,
    release,
    ended,
    watchers = [editor, library.owner],
  }: {
    ids: { run: number; chain: number; schedule?: number }
    release: () => void
    ended: () => Promise<unknown>
    watchers?: TestUser[]
  }) {
    // All addresses for the first of them; for the others those near the run.
    const of = (index: number) => (index === 0 ? addresses : near())
    const before = await Promise.all(watchers.map((as, index) => look(ids, as, of(index))))
    const streams = await Promise.all(watchers.map((as) => stream(ids.run, as)))
    release()
    let isOver = false
    const over = ended().then(() => {
      isOver = true
    })
    for (let looks = 0; looks < LOOKS || !isOver; looks += 1) {
      for (const [index, as] of watchers.entries())
        for (const [path, reply] of Object.entries(await look(ids, as, near())))
          expect(reply, path).toBe(before[index]?.[path])
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
    await over
    for (const [index, as] of watchers.entries()) {
      const after = await look(ids, as, of(index))
      for (const [path, reply] of Object.entries(after)) expect(reply, path).toBe(before[index]?.[path])
      expect(await stream(ids.run, as)).toEqual(streams[index])
      expect(streams[index]).toMatchObject([
        { event: 'state', data: { status: 'started', steps: null, sight: 'presence' } },
        { event: 'end', data: { status: 'started' } },
      ])
    }
  }

  const held = (first: FakeReply) => {
    const hold = Promise.withResolvers<void>()
    return { reply: { ...first, beforeAnyByte: () => hold.promise }, release: () => hold.resolve() }
  }

  test.each(Object.keys(ANSWERS))(
    'Whatever becomes of a run with private values, every address gives others the same from its start until after its end. (%s)',
    async (name) => {
      const chain = await share(['Of $<client>: {{input}}', 'Again: {{a}}'])
      const [first, second] = ANSWERS[name] ?? [{}, {}]
      const { reply, release } = held(first)
      library.fake.reply(reply, second)
      const run = await library.execute(chain.id, { input: 'Typed' }, viewer)
      await watch({ ids: { run, chain: chain.id }, release, ended: () => library.ended(run, viewer) })
      expect(await library.find(run, editor)).toEqual({
        ...Object.fromEntries(Object.keys(await library.find(run, viewer)).map((key) => [key, null])),
        ...{ id: run, kind: 'chain', chainId: chain.id, chainVersion: chain.version, status: 'started' },
        ...{ executedBy: 'Vera', executedAt: expect.any(String), canStop: true, sight: 'presence' },
        ...{ usesPrivateValues: true, rating: null, textsDeleted: null, cut: null, finishReason: null },
        ...{ waitingFor: null, wouldLeave: null, from: null },
      })
    },
  )

  test('is so when it runs by a schedule, and fails so often that it is paused', async () => {
    const chain = await share(['Of $<client>'])
    const url = `/api/chains/${chain.id}/schedule`
    const plan = { scheduledTime: '2099-01-01T00:00:00Z', isRecurring: true, recurringType: 'daily' }
    const body = { ...plan, failuresBeforePause: 1 }
    const made = await library.request({ method: 'POST', url, body, as: viewer })
    const { id: schedule } = made.body as ScheduledRun
    const { reply, release } = held({ status: 400, message: 'bad' })
    library.fake.reply(reply)
    const execute = `/api/scheduled-runs/${schedule}/execute`
    const started = await library.request({ method: 'POST', url: execute, as: viewer })
    const { id: run } = started.body as { id: number }
    const own = async () =>
      (await library.request({ url: `/api/scheduled-runs/${schedule}`, as: viewer })).body
    await watch({
      ids: { run, chain: chain.id, schedule },
      release,
      ended: async () => {
        await library.ended(run, viewer)
        await expect.poll(own).toMatchObject({ active: false, status: 'failed' })
      },
    })
    const { body: others } = await library.request({ url: `/api/scheduled-runs/${schedule}`, as: editor })
    expect(others).toMatchObject({ active: true, pausedReason: null, occurrences: [], lastRunAt: null })
  })

  test('is there from its start on when a program waits for its one step', async () => {
    const chain = await share(['Of $<client>: {{input}}'])
    const token = await library.createToken(chain.id, {}, editor)
    const { reply, release } = held({ text: SECRET })
    library.fake.reply(reply)
    const messages = [{ role: 'user', content: 'Hi' }]
    const answer = library.post('/v1/chat/completions', token.token, { model: `chain-${chain.id}`, messages })
    const list = async () => {
      const found = await library.request({ url: `/api/chains/${chain.id}/executions`, as: library.owner })
      return found.body as { id: number }[]
    }
    await expect.poll(async () => (await list()).length, { interval: 10 }).toBe(1)
    const run = (await list())[0]?.id ?? 0
    const ended = async () => (await answer).text()
    await watch({ ids: { run, chain: chain.id }, release, ended, watchers: [library.owner] })
  })

  test('answers Stop with the same, whatever its state', async () => {
    const chain = await share(['Of $<client>', 'Again'])
    const { reply } = held({ text: 'Never' })
    library.fake.reply(reply)
    const run = await library.execute(chain.id, {}, viewer)
    await expect.poll(library.sent).toEqual([`Of ${SECRET}`])
    const stop = (as: TestUser) => seen('POST', `/api/executions/${run}/cancel`, as)
    const before = await stop(editor)
    expect(before).toMatch(/^202 .*"status":"started"/)
    expect((await library.ended(run, viewer)).status).toBe('cancelled')
    expect(await stop(editor)).toBe(before)
    expect(await stop(library.owner)).toBe(before)
    expect(await stop(viewer)).toMatch(/^200 .*"status":"cancelled"/)
    const refused: [Method, string][] = [
      ['POST', `/api/executions/${run}/resume`],
      ['PUT', `/api/executions/${run}/share`],
      ['DELETE', `/api/executions/${run}`],
    ]
    for (const [method, url] of refused) expect(await seen(method, url, editor), url).toMatch(/^403/)
  })

  test('is found by no filter that would tell what started it', async () => {
    const chain = await share(['Of $<client>'])
    const run = await library.execute(chain.id, {}, viewer)
    await library.ended(run, viewer)
    const found = async (query: string, as: TestUser) => {
      const reply = await library.request({ url: `/api/chains/${chain.id}/executions${query}`, as })
      return [reply.headers['x-total-count'], (reply.body as { id: number }[]).map(({ id }) => id)]
    }
    expect(await found('', editor)).toEqual(['1', [run]])
    for (const trigger of ['manual', 'token', 'schedule', 'evaluation'])
      expect(await found(`?trigger=${trigger}`, editor), trigger).toEqual(['0', []])
    expect(await found('?trigger=manual', viewer)).toEqual(['1', [run]])
  })

  test('A run with private values reads as started for a day, then as ended.', async () => {
    const chain = await share(['Of $<client>'])
    const { reply, release } = held({ text: 'Late' })
    library.fake.reply(reply)
    const run = await library.execute(chain.id, {}, viewer)
    const status = async () =>
      (await library.request({ url: `/api/executions/${run}/status`, as: editor })).body as SeenRunState
    expect((await status()).status).toBe('started')
    await library.db.execute(
      sql`update executions set executed_at = now() - interval '25 hours' where id = ${run}`,
    )
    expect([(await status()).status, (await library.status(run, viewer)).status]).toEqual([
      'ended',
      'running',
    ])
    release()
    await library.ended(run, viewer)
    expect((await status()).status).toBe('ended')
  })

  test('A run that takes in a private value of which nothing was known at its start is closed before the value is sent; an open stream of it falls silent.', async () => {
    const chain = await share(['Plain', 'Of $<later>'])
    const [first, second] = [held({ text: 'One' }), held({ text: 'Two' })]
    library.fake.reply(first.reply, second.reply)
    const run = await library.execute(chain.id, { fills: ['later'] }, viewer)
    const watcher = new Watcher(`${library.address}/api/executions/${run}/events`, editor)
    await expect.poll(() => watcher.events.at(0)?.data.sight).toBe('figures')
    await library.createVariable(viewer, { name: 'later', content: SECRET })
    first.release()
    await expect.poll(library.sent).toEqual(['Plain', `Of ${SECRET}`])
    expect(await seen('GET', `/api/executions/${run}/status`, editor)).toContain('"status":"started"')
    const { length } = watcher.events
    second.release()
    await library.ended(run, viewer)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(watcher.events).toHaveLength(length)
    const ofSecond = watcher.events.map(({ data }) => (data.steps as { status: string }[])[1]?.status)
    expect(ofSecond).not.toContain('completed')
    expect(watcher.events.some(({ event }) => event === 'end')).toBe(false)
    await watcher.leave()
    expect(await stream(run, editor)).toMatchObject([{ event: 'state' }, { event: 'end' }])
  })

  test('shows administrators its figures', async () => {
    const chain = await share(['Of $<client>'])
    const run = await library.execute(chain.id, {}, viewer)
    await library.ended(run, viewer)
    expect(await library.find(run, library.admin)).toMatchObject({
      ...{ sight: 'figures', status: 'completed', output: null },
      steps: [{ outputTokens: expect.any(Number), aiResponse: null }],
    })
  })
})
