import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runs } from '../../database/schema/index.ts'
import { jobs } from '../../database/schema/jobs.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { startFakeCollector } from '../../testing/fake-collector.ts'

const QUEUE = 'run-ended:traces'
/** Langfuse takes OTLP below that path, and knows a project by its two keys. */
const LANGFUSE_PATH = '/api/public/otel'
const AUTHORIZATION = `Basic ${Buffer.from('pk-lf-1:sk-lf-2').toString('base64')}`

describe.each(routeDatabaseKinds)('traces of ended runs on %s', (kind) => {
  let collector: Awaited<ReturnType<typeof startFakeCollector>>
  let library: ChainLibrary
  beforeAll(async () => {
    collector = await startFakeCollector({ path: `${LANGFUSE_PATH}/v1/traces` })
    const traces = {
      endpoint: `${collector.endpoint}${LANGFUSE_PATH}/`,
      headers: { authorization: AUTHORIZATION },
    }
    library = await startChainLibrary(kind, {}, { traces })
    await library.app.start()
  })
  afterAll(async () => {
    await library?.close()
    await collector?.close()
  })
  beforeEach(() => {
    library.fake.reset()
    collector.answerWith('takes')
    collector.spans.length = 0
    collector.bodies.length = 0
    collector.calls.length = 0
  })

  const waiting = () => library.db.select({ key: jobs.key }).from(jobs).where(eq(jobs.queue, QUEUE))
  /** As if the time until its next try had passed. */
  const tryAgain = async () => {
    await library.db.update(jobs).set({ nextAt: sql`now()` }).where(eq(jobs.queue, QUEUE))
    await library.db.execute(sql`select pg_notify('catenary_jobs', '')`)
  }
  const allSent = () =>
    vi.waitFor(
      async () => {
        if ((await waiting()).length === 0) return
        await tryAgain()
        throw new Error('traces wait')
      },
      { interval: 100 },
    )
  const runChain = async (contents: (string | object)[]) => {
    const chain = await library.buildChain(contents)
    const id = await library.execute(chain.id, { input: 'SECRET-INPUT' })
    return library.ended(id)
  }
  const resume = (id: number) =>
    library.request({ method: 'POST', url: `/api/executions/${id}/resume`, as: library.owner })

  test('With `OTLP_ENDPOINT` each run that ends is sent as a trace with the GenAI conventions’ names, without any text, unless it may have used private values.', async () => {
    library.fake.reply({ text: 'SECRET-ANSWER' }, { text: 'SECRET-ANSWER' })
    const run = await runChain(['SECRET-PROMPT one {{input}}', 'two {{a}}'])
    await allSent()
    const [root, first, second, ...more] = collector.spans
    expect(more).toEqual([])
    expect(root).toMatchObject({ kind: 1, status: { code: 1 } })
    expect(root?.parentSpanId).toBeUndefined()
    expect(root?.attributes).toMatchObject({
      'catenary.run.id': run.id,
      'catenary.run.kind': 'chain',
      'catenary.run.status': 'completed',
      'catenary.run.steps': 2,
    })
    for (const [position, step] of [first, second].entries()) {
      expect(step).toMatchObject({ traceId: root?.traceId, parentSpanId: root?.spanId, kind: 3 })
      expect(step?.attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': run.steps[position]?.model,
        'gen_ai.response.model': 'fake-model',
        'gen_ai.usage.input_tokens': run.steps[position]?.inputTokens,
        'gen_ai.usage.output_tokens': run.steps[position]?.outputTokens,
        'gen_ai.usage.cost': expect.any(Number),
        'catenary.step.position': position,
      })
      expect(BigInt(step?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(step?.startTimeUnixNano ?? 1))
    }
    expect(first?.spanId).not.toBe(second?.spanId)
    expect(collector.calls.at(-1)?.headers.authorization).toBe(AUTHORIZATION)
    expect(collector.bodies.join()).not.toMatch(/SECRET|Letter|Olga|example\.org/)
  })

  test('a run of a prompt is told too, and why one failed by its code alone', async () => {
    const prompt = await library.createPrompt(library.owner, { content: 'SECRET-PROMPT' })
    library.fake.reply({ status: 401 })
    const body = { promptId: prompt.id, model: 'openai' }
    await library.request({ method: 'POST', url: '/api/execute-prompt', body, as: library.owner })
    await vi.waitFor(() => expect(collector.spans).toHaveLength(2))
    const [root, step] = collector.spans
    expect(root?.attributes).toMatchObject({ 'catenary.run.kind': 'prompt', 'error.type': 'model_key' })
    expect(step?.attributes).toMatchObject({ 'catenary.prompt.id': prompt.id, 'error.type': 'model_key' })
    expect([root?.status, step?.status]).toEqual([{ code: 2 }, { code: 2 }])
    expect(collector.bodies.join()).not.toContain('SECRET')
  })

  test('A collector that is away loses nothing: each span arrives once it is back, a resume sends what it added, and a deleted run is not sent.', async () => {
    const ids: number[] = []
    for (const away of ['hangs up', 503, 401] as const) {
      collector.answerWith(away)
      ids.push((await runChain(['one'])).id)
    }
    await vi.waitFor(() => expect(collector.calls.length).toBeGreaterThan(0))
    expect(collector.spans).toEqual([])
    expect(await waiting()).toHaveLength(ids.length)
    // As an hour of tries leaves them.
    await library.db
      .update(jobs)
      .set({ attempt: 25, runAt: sql`now() - interval '1 hour'` })
      .where(eq(jobs.queue, QUEUE))
    const calls = collector.calls.length
    await tryAgain()
    await vi.waitFor(() => expect(collector.calls.length).toBeGreaterThan(calls))
    expect(await waiting()).toHaveLength(ids.length)
    collector.answerWith('takes')
    await allSent()
    const told = collector.spans.flatMap(({ attributes }) => attributes['catenary.run.id'] ?? [])
    expect(told.toSorted()).toEqual(ids.toSorted())
    expect(collector.spans).toHaveLength(2 * ids.length)
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(2 * ids.length)
  })

  test('A step that asked no model is told without a call.', async () => {
    const onlyIf = { all: [{ ref: 'input', op: 'is', value: 'other' }] }
    const stop = { outcome: 'completed', text: 'SECRET-END' }
    await runChain(['one', { content: 'two', onlyIf }, { kind: 'stop', content: '', stop }])
    await allSent()
    const names = collector.spans.map(({ name }) => name)
    expect(names).toEqual(['run of a chain', 'chat openai', 'step without a call', 'step without a call'])
    expect(collector.bodies.join()).not.toContain('SECRET')
  })

  test('A step that ran for each item of a list has a span below it for each, without any text.', async () => {
    const forEach = { list: 'input', atOnce: 1 }
    await runChain([{ content: 'Do {{item}}', forEach }])
    await allSent()
    const [run, step, item, ...more] = collector.spans
    expect([run?.name, step?.name, item?.name, more.length]).toEqual([
      ...['run of a chain', 'step for each item', 'chat openai'],
      0,
    ])
    expect(item).toMatchObject({
      parentSpanId: step?.spanId,
      attributes: { 'catenary.step.position': 0, 'gen_ai.response.model': 'fake-model' },
    })
    expect(step?.parentSpanId).toBe(run?.spanId)
    expect(collector.bodies.join()).not.toContain('SECRET')
  })

  test('a repeat is the same spans', async () => {
    const { id } = await runChain(['one'])
    await allSent()
    await library.db.insert(jobs).values({
      queue: QUEUE,
      key: `${id}:1`,
      payload: { executionId: id, reference: '', status: 'completed' },
    })
    await allSent()
    const [first, second, ...again] = collector.spans
    expect(again).toEqual([first, second])
  })

  test('a resume tells of what it did: no step is told twice', async () => {
    library.fake.reply({ text: 'A' }, { status: 401 })
    const failed = await runChain(['one', 'two {{a}}'])
    await allSent()
    expect(collector.spans.map(({ status }) => status.code)).toEqual([2, 1, 2])
    library.fake.reply({ text: 'B' })
    await resume(failed.id)
    await library.ended(failed.id)
    await allSent()
    const [, , , root, step, ...more] = collector.spans
    expect(more).toEqual([])
    expect(root).toMatchObject({ traceId: collector.spans[0]?.traceId, status: { code: 1 } })
    expect(step?.attributes).toMatchObject({ 'catenary.step.position': 1 })
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(5)
  })

  test('a run that was deleted meanwhile is not told, and spans that are refused are not sent for ever', async () => {
    collector.answerWith(503)
    const { id } = await runChain(['one'])
    await library.request({ method: 'DELETE', url: `/api/executions/${id}`, as: library.owner })
    collector.answerWith('takes')
    await allSent()
    expect(collector.spans).toEqual([])
    collector.answerWith(400)
    await runChain(['one'])
    await allSent()
    expect(collector.calls.at(-1)?.answered).toBe(400)
  })
})

test('without a collector no run has a subscriber, and no job is made', async () => {
  const library = await startChainLibrary('embedded')
  await library.app.start()
  const chain = await library.buildChain(['one'])
  const { id } = await library.ended(await library.execute(chain.id))
  const [run] = await library.db.select({ subscribers: runs.subscribers }).from(runs).where(eq(runs.id, id))
  expect(run).toEqual({ subscribers: null })
  expect(await library.db.select().from(jobs).where(eq(jobs.queue, QUEUE))).toEqual([])
  await library.close()
})
