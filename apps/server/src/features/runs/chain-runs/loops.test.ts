import type { Chain, ListedRunItem, RunDetails, RunItem } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import { OWN_TEXTS_ONLY } from '../../records/consent.ts'
import { startChainRun } from './start-run.ts'

const each = (list: string, fields: object = {}) => ({ forEach: { list, ...fields } })
const JSON_ITEMS = '[{"id": 1, "kind": "bill"}, {"id": 2, "kind": "ad"}, {"id": 3.10, "kind": "bill"}]'
const LIST = {
  content: 'List {{input}}',
  output: {
    type: 'json',
    schema: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: 'number' }, kind: { type: 'string' } },
            required: ['id', 'kind'],
            additionalProperties: false,
          },
        },
      },
      required: ['items'],
      additionalProperties: false,
    },
  },
}
const textOf = (body: Record<string, unknown>) =>
  (body.messages as { content: string }[]).at(-1)?.content ?? ''
const stepOf = ({ steps }: RunDetails, position: number) => {
  const step = steps[position]
  if (step === undefined) throw new Error('no such step')
  return step
}
const statesOf = (run: RunDetails, position = 0) => stepOf(run, position).items?.map(({ status }) => status)

describe.each(routeDatabaseKinds)('a step that runs for each item of a list, on %s', (kind) => {
  let library: Gateway
  let share: SharedChains['share']
  let viewer: SharedChains['viewer']
  let editor: SharedChains['editor']
  beforeAll(async () => {
    library = await startGateway(kind)
    ;({ share, viewer, editor } = await startSharingChains(library))
    await library.createVariable(viewer, { name: 'secret', content: 'one\ntwo\nthree' })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  /** Answers by what is asked, whatever the order; `fails` are refused for good. */
  const answerAll = (fails: readonly string[] = []) =>
    library.fake.replyByDefault(({ body }) => {
      const text = textOf(body)
      return fails.includes(text) ? { status: 400, message: `no ${text}` } : { text: `<${text}>` }
    })
  const runOf = async (chain: Chain, input = 'A\nB\nC') =>
    library.ended(await library.execute(chain.id, { input }))
  const post = (path: string, as = library.owner, body?: object) =>
    library.request({ method: 'POST', url: `/api/executions/${path}`, as, ...(body && { body }) })
  const retry = async (id: number, position = 0) => {
    const reply = await post(`${id}/steps/${position}/retry-items`)
    expect(reply.status, reply.text).toBe(200)
    return library.ended(id)
  }
  const itemsOf = async (id: number, position = 0, query = '', as = library.owner) => {
    const url = `/api/executions/${id}/steps/${position}/items${query}`
    return library.request({ url, as })
  }

  test('The items’ answers stand in the order of the list, whichever came first, each with its own cost.', async () => {
    const chain = await library.buildChain([
      { content: '{{item}} is {{index}}', ...each('input', { atOnce: 3 }) },
      'All: {{a}}',
    ])
    library.fake.replyByDefault(({ body }) => {
      const text = textOf(body)
      return { text: `<${text}>`, delayMs: text.startsWith('A') ? 200 : 0 }
    })
    const run = await runOf(chain)
    const all = '<A is 1>\n\n<B is 2>\n\n<C is 3>'
    expect(run).toMatchObject({ status: 'completed', completedSteps: 2 })
    expect(library.sent().at(-1)).toBe(`All: ${all}`)
    const step = stepOf(run, 0)
    expect(step).toMatchObject({
      ...{ status: 'completed', aiResponse: all, outputVariableValue: all, modelId: null },
      itemCounts: { all: 3, completed: 3, skipped: 0, failed: 0 },
      settings: {
        forEach: { list: 'input', as: 'item', max: 50, atOnce: 3, onFailure: 'stop', result: 'text' },
      },
    })
    expect(
      step.items?.map(({ index, item, inputContent, aiResponse }) => [index, item, inputContent, aiResponse]),
    ).toEqual([
      [0, 'A', 'A is 1', '<A is 1>'],
      [1, 'B', 'B is 2', '<B is 2>'],
      [2, 'C', 'C is 3', '<C is 3>'],
    ])
    const costs = step.items?.map(({ costUsd }) => costUsd ?? 0) ?? []
    expect(costs.every((cost) => cost > 0)).toBe(true)
    expect(step.costUsd).toBeCloseTo(
      costs.reduce((sum, cost) => sum + cost, 0),
      9,
    )
    const whole = (await itemsOf(run.id, 0, '/1')).body as RunItem
    expect(whole).toMatchObject({ index: 1, item: 'B', modelId: 'fake-model', retries: 0, retriedAt: null })
    expect(whole.inputSegments).toEqual([
      { start: 0, end: 1, kind: 'output', name: 'item' },
      { start: 5, end: 6, kind: 'output', name: 'index' },
    ])
  })

  test('Of a JSON list each item’s fields are there, a condition that names it is asked for each, and the result is JSON.', async () => {
    const chain = await library.buildChain([
      LIST,
      {
        ...{
          content: 'Pay {{bill.id}}',
          title: 'Pay',
          onlyIf: { all: [{ ref: 'bill.kind', op: 'is', value: 'bill' }] },
        },
        ...each('a.items', { as: 'bill', result: 'json' }),
      },
      'First {{b[0]}}, all {{b}}',
    ])
    library.fake.replyByDefault(({ body }) => {
      const text = textOf(body)
      return { text: text.startsWith('List') ? `{"items": ${JSON_ITEMS}}` : text }
    })
    const run = await runOf(chain)
    expect(run.error).toBeNull()
    expect(library.sent().at(-1)).toBe('First Pay 1, all ["Pay 1","Pay 3.10"]')
    expect(stepOf(run, 1)).toMatchObject({
      itemCounts: { all: 3, completed: 2, skipped: 1, failed: 0 },
      items: [
        { status: 'completed' },
        { status: 'skipped', costUsd: 0 },
        { item: '{"id":3.10,"kind":"bill"}' },
      ],
    })
    expect(stepOf(run, 1).items?.[1]?.skipReason).toBe('It runs only if bill.kind is bill')
  })

  test('A condition that does not name the item is asked once, before the list is read.', async () => {
    const onlyIf = { all: [{ ref: 'input', op: 'is', value: 'never' }] }
    const chain = await library.buildChain([
      { content: '{{item}}', onlyIf, default: 'none', ...each('nobody') },
    ])
    const run = await runOf(chain)
    expect(run).toMatchObject({ status: 'completed', output: 'none' })
    expect(stepOf(run, 0)).toMatchObject({ status: 'skipped', skipReason: 'It runs only if input is never' })
    expect(stepOf(run, 0).itemCounts).toBeUndefined()
  })

  test('a list without items asks nothing', async () => {
    for (const [result, output] of [
      ['text', ''],
      ['json', '[]'],
    ]) {
      const chain = await library.buildChain([{ content: '{{item}}', ...each('input', { result }) }])
      const run = await runOf(chain, ' \n')
      expect(run).toMatchObject({ status: 'completed', output, costUsd: 0 })
      expect(stepOf(run, 0)).toMatchObject({ itemCounts: { all: 0 }, items: [] })
    }
    expect(library.fake.journal).toEqual([])
  })

  test('More items than the step runs for end the run before the first of them, whatever it says of failures.', async () => {
    const chain = await library.buildChain([
      { content: '{{item}}', ifItFails: 'go_on', ...each('input', { max: 2, onFailure: 'leave_out' }) },
      'After',
    ])
    expect(await runOf(chain)).toMatchObject({
      ...{ status: 'failed', errorCode: 'too_many_items' },
      error: 'input has 3 items, and the step runs for at most 2',
    })
    expect(library.fake.journal).toEqual([])
  })

  test('A run asks models 2,000 times at most, the calls for items among them.', async () => {
    const chain = await library.buildChain([
      { content: '{{item}}', ...each('mood') },
      { content: '{{item}}', ...each('input') },
    ])
    library.fake.reply({ text: 'slow', delayMs: 1_000 })
    const id = await library.execute(chain.id, { input: '1\n2\n3', variableValues: { mood: 'calm' } })
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    const addItems = (from: number, to: number) =>
      library.db.execute(sql`
        insert into execution_items (execution_id, position, index, attempt, item, is_json, resolved)
        select ${id}::integer, 99, n, 1, 'x', false, '{}' from generate_series(${from}::integer, ${to}::integer) n`)
    // With the first item of the run and the three to come.
    await addItems(1, 1_997)
    const run = await library.ended(id)
    expect(run).toMatchObject({ status: 'failed', errorCode: 'too_many_items', completedSteps: 1 })
    expect(run.error).toBe(
      'With the 3 items of input the run would call models and services more than 2,000 times',
    )
    await library.db.execute(sql`delete from execution_items where execution_id = ${id} and index = 1997`)
    await post(`${id}/resume`)
    expect(await library.ended(id)).toMatchObject({ status: 'completed' })
    expect(library.fake.journal).toHaveLength(4)
  })

  test('a list that is nothing can’t be read', async () => {
    const chain = await library.buildChain([{ content: '{{item}}', ...each('nobody') }])
    expect(await runOf(chain)).toMatchObject({
      ...{ status: 'failed', errorCode: 'value_missing' },
      error: 'The list can’t be read: nobody has no value: There is no variable with this name',
    })
  })

  test('The first item that fails ends the step: what has ended is kept, and a resumed run asks for the others alone.', async () => {
    const chain = await library.buildChain([
      { content: '{{item}}', ...each('input', { atOnce: 1 }) },
      'All {{a}}',
    ])
    answerAll(['B'])
    const run = await runOf(chain)
    expect(run).toMatchObject({ status: 'failed', errorCode: 'model_rejected', canResume: true })
    expect(run.error).toMatch(/^Item 2: .*no B/)
    expect(statesOf(run)).toEqual(['completed', 'failed', 'waiting'])
    expect(stepOf(run, 0)).toMatchObject({
      status: 'failed',
      itemCounts: { all: 3, completed: 1, failed: 1 },
    })
    expect(library.sent()).toEqual(['A', 'B'])
    answerAll()
    const reply = await post(`${run.id}/resume`)
    expect(reply.status, reply.text).toBe(200)
    expect(await library.ended(run.id)).toMatchObject({ status: 'completed' })
    expect(library.sent()).toEqual(['A', 'B', 'B', 'C', 'All <A>\n\n<B>\n\n<C>'])
  })

  test('with the first failure others under way are stopped', async () => {
    const chain = await library.buildChain([{ content: '{{item}}', ...each('input', { atOnce: 2 }) }])
    library.fake.replyByDefault(({ body }) =>
      textOf(body) === 'A'
        ? { text: ['stuck'], fault: 'silence' }
        : { status: 400, message: 'no', delayMs: 100 },
    )
    const run = await runOf(chain)
    expect(run).toMatchObject({ status: 'failed', errorCode: 'model_rejected' })
    expect(statesOf(run)).toEqual(['cancelled', 'failed', 'waiting'])
    expect(stepOf(run, 0).items?.[0]?.error).toBe('Stopped, as another item failed')
  })

  test('Items that fail may be left out. They alone run again at a press, and a later step that has ended stays as it was.', async () => {
    const chain = await library.buildChain([
      { content: '{{item}}', ...each('input', { onFailure: 'leave_out' }) },
      'All {{a}}',
    ])
    answerAll(['A', 'C'])
    const run = await runOf(chain)
    expect(run).toMatchObject({ status: 'completed', output: '<All <B>>' })
    expect(stepOf(run, 0)).toMatchObject({ aiResponse: '<B>', itemCounts: { completed: 1, failed: 2 } })
    answerAll(['C'])
    const again = await retry(run.id)
    expect(library.sent().slice(4).toSorted()).toEqual(['A', 'C'])
    expect(again).toMatchObject({ status: 'completed', output: '<All <B>>' })
    expect(stepOf(again, 0)).toMatchObject({
      ...{ aiResponse: '<A>\n\n<B>', itemCounts: { completed: 2, failed: 1 } },
      ...{ laterStepsKept: true, retriedAt: expect.any(String) },
    })
    expect(statesOf(again)).toEqual(['completed', 'completed', 'failed'])
    expect(stepOf(again, 0).items?.map(({ retriedAt }) => retriedAt !== null)).toEqual([true, false, true])
    answerAll()
    await retry(run.id)
    const refused = await post(`${run.id}/steps/0/retry-items`)
    expect([refused.status, refused.body]).toMatchObject([409, { error: 'No item of this step has failed' }])
    expect((await post(`${run.id}/steps/1/retry-items`)).status).toBe(409)
    expect((await post(`${run.id}/steps/7/retry-items`)).status).toBe(404)
  })

  test('Later steps that had not begun take the output of items that were run again, and the last step’s is the run’s.', async () => {
    const chain = await library.buildChain([
      { content: '{{item}}', ...each('input', { onFailure: 'leave_out' }) },
      'All {{a}}',
      'End {{a}} {{b}}',
    ])
    answerAll(['B', 'End <A>\n\n<C> <All <A>\n\n<C>>'])
    const run = await runOf(chain)
    expect(run).toMatchObject({ status: 'failed', completedSteps: 2 })
    answerAll()
    const again = await retry(run.id)
    expect(again).toMatchObject({ status: 'completed', completedSteps: 3 })
    expect(library.sent().at(-1)).toBe('End <A>\n\n<B>\n\n<C> <All <A>\n\n<C>>')
    expect(stepOf(again, 0).laterStepsKept).toBe(true)
    const last = await library.buildChain([
      { content: '{{item}}', ...each('input', { onFailure: 'leave_out' }) },
    ])
    answerAll(['B'])
    const short = await runOf(last)
    expect(short.output).toBe('<A>\n\n<C>')
    answerAll()
    expect((await retry(short.id)).output).toBe('<A>\n\n<B>\n\n<C>')
    expect(stepOf(await library.find(short.id), 0).laterStepsKept).toBeUndefined()
  })

  test('a stopped retry leaves the run to be resumed', async () => {
    const chain = await library.buildChain([
      { content: '{{item}}', ...each('input', { onFailure: 'leave_out' }) },
      'All {{a}}',
    ])
    answerAll(['B'])
    const run = await runOf(chain)
    library.fake.replyByDefault({ text: ['stuck'], fault: 'silence' })
    const calls = library.fake.journal.length
    await post(`${run.id}/steps/0/retry-items`)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(calls + 1))
    await post(`${run.id}/cancel`)
    const stopped = await library.ended(run.id)
    expect(stopped).toMatchObject({ status: 'cancelled', canResume: true })
    expect(stopped.steps.map(({ status }) => status)).toEqual(['cancelled', 'completed'])
    answerAll()
    await post(`${run.id}/resume`)
    const resumed = await library.ended(run.id)
    expect(resumed).toMatchObject({ status: 'completed', output: '<All <A>\n\n<C>>' })
    expect(stepOf(resumed, 0)).toMatchObject({ aiResponse: '<A>\n\n<B>\n\n<C>', laterStepsKept: true })
  })

  test('Another person can run no items again.', async () => {
    const chain = await share([{ content: '{{item}}', ...each('input', { onFailure: 'leave_out' }) }])
    answerAll(['B'])
    const id = await library.execute(chain.id, { input: 'A\nB' })
    await library.ended(id)
    expect((await post(`${id}/steps/0/retry-items`, viewer)).status).toBe(404)
    expect((await post(`${id}/steps/0/retry-items`, editor)).status).toBe(403)
    expect((await itemsOf(id, 0, '', editor)).body).toMatchObject([
      { item: 'A' },
      { item: 'B', status: 'failed' },
    ])
  })

  test('A list tells how far it has come while it runs, and pages its items.', async () => {
    const chain = await library.buildChain([
      { content: '{{item}}', ...each('input', { max: 30, atOnce: 10, onFailure: 'leave_out' }) },
    ])
    answerAll(['3', '27'])
    const input = Array.from({ length: 30 }, (_, index) => `${index}`).join('\n')
    const run = await runOf(chain, input)
    expect(stepOf(run, 0).items).toHaveLength(20)
    const page = await itemsOf(run.id, 0, '?limit=25')
    expect((page.body as ListedRunItem[]).map(({ index }) => index)).toEqual(
      Array.from({ length: 25 }, (_, index) => index),
    )
    const rest = await itemsOf(run.id, 0, `?limit=25&cursor=${page.headers['x-next-cursor']}`)
    expect((rest.body as ListedRunItem[]).map(({ item }) => item)).toEqual(['25', '26', '27', '28', '29'])
    expect((await itemsOf(run.id, 0, '?status=failed')).body).toMatchObject([{ index: 3 }, { index: 27 }])
    expect((await itemsOf(run.id, 0, '?status=skipped')).body).toEqual([])
    expect((await itemsOf(run.id, 0, '/30')).status).toBe(404)
    expect((await itemsOf(run.id, 1)).status).toBe(404)
  })

  test('A private list that was not allowed is not read, and of a run that read one others learn no number of items.', async () => {
    const chain = await share(['Say', { content: 'Do {{item}}', ...each('secret') }])
    answerAll()
    const refused = await library.request({
      ...{ method: 'POST', url: `/api/chains/${chain.id}/execute`, as: viewer },
      body: { fills: [] },
    })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('secret')])
    const { id: withheld } = await startChainRun(library.app.ctx, {
      ...{ user: viewer.user, allowed: OWN_TEXTS_ONLY, chainId: chain.id, trigger: 'token' },
    })
    expect(await library.ended(withheld, viewer)).toMatchObject({
      status: 'failed',
      errorCode: 'private_values',
    })
    expect(library.sent()).toEqual(['Say'])
    const id = await library.execute(chain.id, { fills: ['secret'] }, viewer)
    const own = await library.ended(id, viewer)
    expect(own).toMatchObject({ status: 'completed', usesPrivateValues: true })
    expect(stepOf(own, 1)).toMatchObject({
      itemCounts: { all: 3 },
      resolved: { secret: { isPrivate: true } },
    })
    for (const as of [editor, library.owner]) {
      for (const path of ['', '/status', '/steps/1', '/steps/1/items', '/steps/1/items/0', '/events']) {
        const { text, status } = await library.request({ url: `/api/executions/${id}${path}`, as })
        expect(text, path).not.toMatch(/itemCounts":\{|Do |one|three/)
        if (path.startsWith('/steps')) expect(status).toBe(404)
      }
    }
  })
})
