import type { Chain, ChainRunSummary, Prompt, RunStep, StartedRun } from '@catenary/contracts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { chainSteps } from '../../../database/schema/index.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'

describe.each(routeDatabaseKinds)('running chains on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    await library.createVariable(library.owner, { name: 'tone', content: 'warm {{a}} $<tone>' })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  test('Starting answers at once with an id. Each step’s output goes to later steps under its name, and all of it is kept.', async () => {
    const chain = await library.buildChain(
      [
        'Write a $<tone> letter about {{input}}, $<nobody>.',
        { content: 'Check: {{a}}!', systemPrompt: 'Be kind.' },
      ],
      { name: 'Letters' },
    )
    library.fake.reply({ text: 'Dear {{input}}' }, { text: 'Fine' })
    const id = await library.execute(chain.id, { input: 'bridges' })
    const run = await library.ended(id)
    expect(library.sent()).toEqual([
      'Write a warm {{a}} $<tone> letter about bridges, $<nobody>.',
      'Check: Dear {{input}}!',
    ])
    expect(run).toMatchObject({
      ...{
        id,
        kind: 'chain',
        chainId: chain.id,
        chainName: 'Letters',
        status: 'completed',
        trigger: 'manual',
      },
      ...{ input: 'bridges', output: 'Fine', result: { output: 'Fine' }, error: null, executedBy: 'Olga' },
      ...{ stepCount: 2, completedSteps: 2, cutSteps: 0, canResume: false },
      ...{ inputTokens: 22, outputTokens: 14, costUsd: 0.000162 },
    })
    expect(run.steps).toEqual([
      {
        ...{ id: expect.any(Number), position: 0, status: 'completed', title: '' },
        ...{
          model: 'openai',
          modelId: 'fake-model',
          provider: 'openai',
          finishReason: 'stop',
          fallback: null,
          promptId: null,
          promptLabel: null,
          promptVersion: null,
        },
        outputVariableName: 'a',
        executedAt: expect.any(String),
        inputContent: 'Write a warm {{a}} $<tone> letter about bridges, $<nobody>.',
        inputSegments: [
          { start: 8, end: 26, kind: 'variable', name: 'tone' },
          { start: 40, end: 47, kind: 'output', name: 'input' },
        ],
        resolved: {
          tone: expect.objectContaining({ type: 'text', variableId: 1, error: null }),
          nobody: expect.objectContaining({ type: 'none', variableId: null }),
        },
        attachments: [],
        ...{ systemPrompt: '', aiResponse: 'Dear {{input}}', outputVariableValue: 'Dear {{input}}' },
        ...{ error: null, errorCode: null, skipReason: null, retries: 0 },
        ...{
          inputTokens: 11,
          cachedTokens: 0,
          outputTokens: 7,
          costUsd: 0.000081,
          savedUsd: 0,
          durationMs: expect.any(Number),
        },
      },
      expect.objectContaining({
        position: 1,
        inputContent: 'Check: Dear {{input}}!',
        systemPrompt: 'Be kind.',
      }),
    ])
  })

  test('A step’s system prompt, temperature and token limit reach the model (D32).', async () => {
    const chain = await library.buildChain([
      { content: 'Hi', systemPrompt: 'Be kind.', temperature: 0.5, maxTokens: 77 },
    ])
    await library.ended(await library.execute(chain.id))
    expect(library.fake.journal[0]?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
      temperature: 0.5,
      max_tokens: 77,
    })
  })

  test('a step of a model that this version does not know is read, and fails when it is run', async () => {
    const chain = await library.buildChain(['Hi', 'Then {{a}}'])
    const [, second] = chain.steps
    await library.db
      .update(chainSteps)
      .set({ model: 'nova' })
      .where(eq(chainSteps.id, second?.id ?? 0))
    const read = await library.request({ url: `/api/chains/${chain.id}`, as: library.owner })
    expect((read.body as Chain).steps.map(({ model }) => model)).toEqual(['openai', 'nova'])
    const run = await library.ended(await library.execute(chain.id))
    expect(run).toMatchObject({
      status: 'failed',
      error: 'There is no model nova in this version of Catenary.',
      errorCode: 'model_not_configured',
      steps: [
        { model: 'openai', finishReason: 'stop' },
        { model: 'nova', finishReason: null },
      ],
    })
  })

  test('a step of a model that is not set up here fails when it is run, and says which setting is missing', async () => {
    const chain = await library.buildChain([{ content: 'Hi', model: 'custom' }])
    const run = await library.ended(await library.execute(chain.id))
    expect(run).toMatchObject({
      status: 'failed',
      error: 'Address not configured for custom. Set CUSTOM_BASE_URL.',
      errorCode: 'model_not_configured',
    })
    expect(library.fake.journal).toHaveLength(0)
  })

  test('A linked prompt runs with its current text; the run records which version (D29).', async () => {
    const prompt = await library.createPrompt(library.owner, { title: 'Linked', content: 'Old' })
    const chain = await library.buildChain([{ content: 'Copy', promptId: prompt.id }, 'Then {{a}}'])
    const save = { ...prompt, content: 'New', categoryId: library.categoryId }
    const { title, content, categoryId } = save
    const saved = await library.request({
      method: 'PUT',
      url: `/api/prompts/${prompt.id}`,
      body: { title, content, categoryId },
      as: library.owner,
    })
    expect((saved.body as Prompt).version).toBe(2)
    const run = await library.ended(await library.execute(chain.id))
    expect(run.steps[0]).toMatchObject({
      inputContent: 'New',
      promptId: prompt.id,
      promptVersion: 2,
      title: 'Linked',
    })
    expect(run.steps[1]?.promptVersion).toBeNull()
  })

  test('a prompt that is deleted meanwhile runs on, and the run links to it no more', async () => {
    const prompt = await library.createPrompt(library.owner, { content: 'Hello' })
    const linked = { promptId: prompt.id, content: 'Hello' }
    const chain = await library.buildChain([linked, linked, { content: 'last' }])
    library.fake.reply({ text: 'A', delayMs: 200 })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    expect((await library.find(id)).steps.map(({ promptId }) => promptId)).toEqual([
      prompt.id,
      prompt.id,
      null,
    ])
    await library.request({ method: 'DELETE', url: `/api/prompts/${prompt.id}`, as: library.owner })
    const run = await library.ended(id)
    expect(run.status).toBe('completed')
    expect(run.steps.map(({ promptId }) => promptId)).toEqual([null, null, null])
    expect(library.sent()).toEqual(['Hello', 'Hello', 'last'])
  })

  test('another person runs a public chain with that person’s own variables', async () => {
    const chain = await library.buildChain(['Be $<mood>.'], { sharedLevel: 'public' })
    await library.createVariable(library.owner, { name: 'mood', content: 'glad' })
    await library.createVariable(library.other, { name: 'mood', content: 'sad' })
    const id = await library.execute(chain.id, undefined, library.other)
    expect((await library.ended(id, library.other)).steps[0]?.inputContent).toBe('Be sad.')
  })

  test('A retry with the same key starts no second run (D7).', async () => {
    const chain = await library.buildChain(['Hi'])
    const send = () =>
      library.request({
        method: 'POST',
        url: `/api/chains/${chain.id}/execute`,
        body: {},
        as: library.owner,
        headers: { 'idempotency-key': `execute-${chain.id}` },
      })
    const replies = await Promise.all(Array.from({ length: 10 }, send))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    const [first] = replies
    await library.ended((first?.body as StartedRun | undefined)?.id ?? 0)
    expect(library.fake.journal).toHaveLength(1)
  })

  test('an empty step, an unknown chain, one without steps and hostile ids are refused clearly', async () => {
    const empty = await library.createChain(library.owner)
    const blank = await library.buildChain([' $<nothing_such> '.replace('$<nothing_such>', '')])
    expect(await library.ended(await library.execute(blank.id))).toMatchObject({
      ...{ status: 'failed', errorCode: 'input_empty', error: 'This step has no text to send' },
    })
    const start = (id: string | number, body: unknown = {}) =>
      library.request({ method: 'POST', url: `/api/chains/${id}/execute`, body, as: library.owner })
    expect(await start(empty.id)).toMatchObject({ status: 409, body: { error: /no steps/ } })
    expect((await start(2_147_483_647)).status).toBe(404)
    for (const id of ['0', '-1', '1e3', '2147483648', 'x', '1%00', '9'.repeat(5_000)])
      expect((await start(id)).status, id.slice(0, 20)).toBe(400)
    expect((await start(blank.id, { input: 1 })).status).toBe(400)
    expect((await start(blank.id, { userId: 1 })).status).toBe(400)
    for (const id of ['0', 'x', '2147483648', '1%00'])
      for (const url of [
        `/api/executions/${id}`,
        `/api/executions/${id}/status`,
        `/api/executions/${id}/events`,
      ])
        expect((await library.request({ url, as: library.owner })).status, url).toBe(400)
  })

  test('100 steps, a megabyte a step, and a history of 10,000 runs work.', async () => {
    const long = await library.buildChain(Array.from({ length: 100 }, (_, index) => `step ${index}`))
    const run = await library.ended(await library.execute(long.id))
    expect([run.status, run.completedSteps]).toEqual(['completed', 100])
    expect(library.sent()).toEqual(Array.from({ length: 100 }, (_, index) => `step ${index}`))

    library.fake.reset()
    const large = 'x'.repeat(999_000)
    const wide = await library.buildChain([`${large}{{input}}`, '{{input}}{{input_context}}'])
    const done = await library.ended(await library.execute(wide.id, { input: 'y'.repeat(200_000) }))
    const lengths = done.steps.map(async ({ position }) => {
      const url = `/api/executions/${done.id}/steps/${position}`
      const { body } = await library.request({ url, as: library.owner })
      return (body as RunStep).inputContent?.length
    })
    expect(await Promise.all(lengths)).toEqual([1_199_000, 400_000])
  })

  test('a chain of more text than a run can keep is refused', async () => {
    const chain = await library.buildChain(['one'])
    await library.db.execute(sql`
      insert into chain_steps (chain_id, position, title, content, model, output_variable_name)
      select ${chain.id}, position, 'Long', repeat('x', 1000000), 'openai', 'long_' || position
      from generate_series(1, 110) position`)
    const reply = await library.request({
      method: 'POST',
      url: `/api/chains/${chain.id}/execute`,
      as: library.owner,
    })
    expect(reply).toMatchObject({ status: 413, body: { error: expect.stringContaining('110,000,000') } })
  })

  test('references cannot make an input without bounds', async () => {
    const chain = await library.buildChain(['{{input}}'.repeat(1_000)])
    const run = await library.ended(await library.execute(chain.id, { input: 'y'.repeat(100_000) }))
    expect(run).toMatchObject({ status: 'failed', errorCode: 'input_too_long' })
    expect(library.fake.journal).toHaveLength(0)
  })

  test('an answer that the model cut counts as such, in the run and in its chain’s history', async () => {
    const chain = await library.buildChain(['one', 'two'])
    library.fake.reply({ text: 'whole' }, { text: 'half a', finish: 'length' })
    const id = await library.execute(chain.id)
    const cut = { status: 'completed', completedSteps: 2, cutSteps: 1 }
    expect(await library.ended(id)).toMatchObject(cut)
    const { body } = await library.request({
      url: `/api/chains/${chain.id}/executions`,
      as: library.owner,
    })
    expect(body).toMatchObject([{ id, ...cut }])
  })

  test('the history of ten thousand runs comes in pages, newest first', async () => {
    const chain = await library.buildChain(['one', 'two'])
    const runner = library.owner.user.id
    await library.db.execute(sql`
      with made as (
        insert into executions (kind, user_id, chain_id, chain_name, status, step_count)
        select 'chain', ${runner}, ${chain.id}, 'Letter', 'completed', 2
        from generate_series(1, 10000) returning id
      )
      insert into execution_steps (execution_id, position, status, model, input_tokens, duration_ms)
      select id, position, 'completed', 'openai', 5, 10 from made, generate_series(0, 1) position`)
    const page = async (query: string) =>
      (await library.request({ url: `/api/chains/${chain.id}/executions${query}`, as: library.owner }))
        .body as ChainRunSummary[]
    const first = await page('?limit=50')
    expect(first).toHaveLength(50)
    expect(first[0]).toMatchObject({ stepCount: 2, completedSteps: 2, inputTokens: 10, durationMs: 20 })
    const ids = first.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    const second = await page(`?limit=200&before=${ids.at(-1)}`)
    expect(second).toHaveLength(200)
    expect(second[0]?.id).toBe((ids.at(-1) ?? 0) - 1)
  })
})
