import type { UsageReport } from '@catenary/contracts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runItems, runs } from '../../../database/schema/index.ts'
import { type ChainLibrary, startChainLibrary, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { storeItems } from './loop-items.sql.ts'

const each = (list: string, fields: object = {}) => ({ forEach: { list, ...fields } })
const textOf = (body: Record<string, unknown>) =>
  (body.messages as { content: string }[]).at(-1)?.content ?? ''

describe.each(routeDatabaseKinds)('items whose process goes, on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const answerAll = (fails: readonly string[] = []) =>
    library.fake.replyByDefault(({ body }) => {
      const text = textOf(body)
      return fails.includes(text) ? { status: 400, message: `no ${text}` } : { text: `<${text}>` }
    })
  const loseWorker = (id: number) =>
    library.db
      .update(runs)
      .set({ attempt: sql`attempt + 1`, leaseUntil: new Date(Date.now() - 1_000) })
      .where(eq(runs.id, id))

  test('Where the process of a run dies, no item that has ended is asked for again, and the list stays as it was.', async () => {
    const variable = await library.createVariable(library.owner, { name: 'rows', content: 'A\nB\nC\nD' })
    const chain = await library.buildChain([
      { content: '{{item}}', ...each('rows', { atOnce: 2 }) },
      'All {{a}}',
    ])
    library.fake.replyByDefault(({ body }) => {
      const text = textOf(body)
      return text === 'A' || text === 'B' ? { text: `<${text}>` } : { text: ['stuck'], fault: 'silence' }
    })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.sent().toSorted()).toEqual(['A', 'B', 'C', 'D']))
    await vi.waitFor(async () =>
      expect((await library.status(id)).steps?.[0]?.itemCounts).toMatchObject({ all: 4, completed: 2 }),
    )
    await library.request({
      method: 'PATCH',
      url: `/api/variables/${variable.id}`,
      as: library.owner,
      body: { content: 'X' },
    })
    await loseWorker(id)
    answerAll()
    const other = await library.startProcess()
    const run = await library.ended(id)
    await other.close()
    expect(run).toMatchObject({ status: 'completed' })
    expect(run.steps[0]?.aiResponse).toBe('<A>\n\n<B>\n\n<C>\n\n<D>')
    const asked = library.sent()
    expect(asked.filter((text) => text === 'A' || text === 'B')).toHaveLength(2)
    expect(run.steps[0]?.resolved.rows).toMatchObject({ isPrivate: true })
  })

  test('what an item was answered under a lost attempt is not kept', async () => {
    const chain = await library.buildChain([{ content: '{{item}}', ...each('input') }])
    answerAll()
    const id = await library.execute(chain.id, { input: 'A' })
    await library.ended(id)
    const find = () => library.db.select().from(runItems).where(eq(runItems.executionId, id))
    const [item] = await find()
    if (item === undefined) throw new Error('The run has no item')
    const late = { ...item, status: 'completed' as const, inputSegments: [], aiResponse: 'late' }
    const store = (attempt: number) => library.db.transaction((tx) => storeItems(tx, [{ ...late, attempt }]))
    expect(await store(item.attempt - 1)).toEqual([false])
    expect(await find()).toMatchObject([{ aiResponse: '<A>' }])
    expect(await store(item.attempt)).toEqual([true])
  })

  test('an item that ends is progress: a run does not end for processes that died before', async () => {
    const chain = await library.buildChain([{ content: '{{item}}', ...each('input', { atOnce: 1 }) }])
    library.fake.replyByDefault(({ body }) =>
      textOf(body) === 'A' ? { text: '<A>' } : { text: ['stuck'], fault: 'silence' },
    )
    const id = await library.execute(chain.id, { input: 'A\nB' })
    await vi.waitFor(() => expect(library.sent()).toEqual(['A', 'B']))
    await loseWorker(id)
    await library.db.update(runs).set({ lostWorkers: 3, lostAt: 0 }).where(eq(runs.id, id))
    answerAll()
    const other = await library.startProcess()
    expect(await library.ended(id)).toMatchObject({ status: 'completed', output: '<A>\n\n<B>' })
    await other.close()
    const [run] = await library.db.select({ lost: runs.lostWorkers }).from(runs).where(eq(runs.id, id))
    expect(run?.lost).toBe(0)
  })

  test('What a worker that lost the run says of an item is not stored.', async () => {
    const chain = await library.buildChain([{ content: '{{item}}', ...each('input', { atOnce: 1 }) }])
    library.fake.reply({ text: 'late', delayMs: 500 })
    answerAll()
    const id = await library.execute(chain.id, { input: 'A' })
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    await loseWorker(id)
    const other = await library.startProcess()
    expect(await library.ended(id)).toMatchObject({ status: 'completed', output: '<A>' })
    await other.close()
  })

  test('Each item is paid once, as it ends, whatever becomes of its step.', async () => {
    const person = await library.registerUser()
    const chain = await library.buildChain([{ content: '{{item}}', ...each('input', { atOnce: 1 }) }], {
      as: person,
    })
    const spent = async () => {
      const report = (await library.request({ url: '/api/usage', as: person })).body as UsageReport
      return report.models.listed.find(({ key }) => key === 'fake-model')
    }
    answerAll(['B'])
    const id = await library.execute(chain.id, { input: 'A\nB' }, person)
    const failed = await library.ended(id, person)
    expect(await spent()).toMatchObject({ runs: 1, costUsd: failed.steps[0]?.items?.[0]?.costUsd })
    answerAll()
    await library.request({ method: 'POST', url: `/api/executions/${id}/resume`, as: person })
    const done = await library.ended(id, person)
    const usage = await spent()
    expect(usage?.runs).toBe(2)
    expect(usage?.costUsd).toBeCloseTo(done.steps[0]?.costUsd ?? 0, 9)
  })
})

test('The items of one person do not hold up the run of another: between two of them the run gives its place away, and goes on after.', async () => {
  const library = await startChainLibrary('embedded', {}, { chainRunsAtOnce: 1 })
  await library.app.start()
  library.fake.replyByDefault({ text: 'Done', delayMs: 100 })
  const lines = Array.from({ length: 12 }, (_, index) => `item ${index}`)
  const long = await library.buildChain([{ content: '{{item}}', forEach: { list: 'input', atOnce: 2 } }])
  const short = await library.buildChain(['one'], { as: library.other })
  const id = await library.execute(long.id, { input: lines.join('\n') })
  await vi.waitFor(() => expect(library.fake.journal.length).toBeGreaterThan(0))
  const other = await library.execute(short.id, {}, library.other)
  await library.ended(other, library.other)
  expect((await library.status(id)).status).toBe('running')
  expect(await library.ended(id)).toMatchObject({ status: 'completed' })
  expect(library.sent().toSorted()).toEqual([...lines, 'one'].toSorted())
  await library.close()
})

test('A run that is shared by a standing yes stays closed while items of a step that took in more run again (D59).', async () => {
  const library = await startChainLibrary('embedded')
  await library.app.start()
  const { editor, share } = await startSharingChains(library)
  await library.createVariable(library.owner, { name: 'first', content: 'A' })
  const chain = await share([
    { content: '{{item}} $<first> $<second>', forEach: { list: 'input', onFailure: 'leave_out' } },
    'After {{a}}',
  ])
  const runShare = { url: `/api/chains/${chain.id}/run-share`, as: library.owner }
  await library.request({ ...runShare, method: 'PUT', body: { names: ['first'] } })
  await library.createVariable(library.owner, { name: 'second', content: 'B' })
  library.fake.reply({ text: 'Yes' }, { status: 400, message: 'no' })
  const id = await library.execute(chain.id, { input: 'x\ny' })
  await library.ended(id)
  const seenBy = async () => (await library.find(id, editor)).sight
  expect(await seenBy()).toBe('presence')
  library.fake.replyByDefault({ text: ['stuck'], fault: 'silence' })
  const calls = library.fake.journal.length
  const url = `/api/executions/${id}`
  await library.request({ method: 'POST', url: `${url}/steps/0/retry-items`, as: library.owner })
  await vi.waitFor(() => expect(library.fake.journal.length).toBeGreaterThan(calls))
  expect(await seenBy()).toBe('presence')
  await library.request({ method: 'POST', url: `${url}/cancel`, as: library.owner })
  await library.ended(id)
  expect(await seenBy()).toBe('presence')
  await library.request({ method: 'POST', url: `${url}/resume`, as: library.owner })
  await vi.waitFor(() => expect(library.fake.journal.length).toBeGreaterThan(calls + 1))
  expect(await seenBy()).toBe('presence')
  await library.close()
})
