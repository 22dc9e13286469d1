import type { ExecutePromptReply, PromptRun, StartedRun } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'

const REFUSED = { status: 401 }

describe.each(routeDatabaseKinds)('a fallback model of a step, on %s', (kind) => {
  let library: Gateway
  beforeAll(async () => {
    library = await startGateway(kind, { hasCustom: true })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const build = (fields: object = {}) =>
    library.buildChain([{ content: 'one', model: 'openai', fallbackModel: 'custom', ...fields }, 'two {{a}}'])
  const asked = () => library.fake.journal.map(({ body }) => body.model)

  test('The run says who answered, which models failed before, and why. Others who see the run see which, not why.', async () => {
    const chain = await build()
    library.fake.reply({ status: 503 }, REFUSED, { text: 'Here.' }, { text: 'Done.' })
    const run = await library.ended(await library.execute(chain.id))
    expect(run).toMatchObject({
      status: 'completed',
      steps: [
        { model: 'openai', retries: 2, aiResponse: 'Here.', fallback: { model: 'custom' } },
        { model: 'openai', retries: 0, fallback: null },
      ],
    })
    expect(run.steps[0]?.fallback?.reason).toMatch(/^The API key for GPT-4o was refused/)
    expect(asked()).toHaveLength(4)
  })

  test('is part of the step: stored, changed, copied, and refused where no such model is known', async () => {
    const chain = await build()
    const [step] = chain.steps
    expect(step?.fallbackModel).toBe('custom')
    const url = `/api/chains/${chain.id}/steps/${step?.id}`
    const patch = (fallbackModel: unknown) =>
      library.request({ method: 'PATCH', url, body: { fallbackModel }, as: library.owner })
    expect((await patch('nobody')).status).toBe(400)
    expect((await patch('claude')).body).toMatchObject({ fallbackModel: 'claude' })
    const copy = await library.request({
      method: 'POST',
      url: `/api/chains/${chain.id}/duplicate`,
      as: library.owner,
    })
    expect(copy.body).toMatchObject({ steps: [{ fallbackModel: 'claude' }, { fallbackModel: null }] })
    expect((await patch(null)).body).toMatchObject({ fallbackModel: null })
  })

  test('that fails too leaves both reasons, and a resume asks the step’s own first again', async () => {
    const chain = await build()
    library.fake.reply(REFUSED, { status: 400, message: 'no' }, REFUSED, { text: 'Here.' }, { text: 'Done.' })
    const id = await library.execute(chain.id)
    const failed = await library.ended(id)
    expect(failed).toMatchObject({ status: 'failed', errorCode: 'model_key' })
    expect(failed.error).toMatch(/GPT-4o was refused.*The fallback failed too: Custom did not accept/)
    await library.request({ method: 'POST', url: `/api/executions/${id}/resume`, as: library.owner })
    const resumed = await library.ended(id)
    expect(resumed).toMatchObject({ status: 'completed', steps: [{ fallback: { model: 'custom' } }, {}] })
  })

  test('A step’s fallback models, up to five, are asked in turn when its own fails for good.', async () => {
    const list = { fallbackModel: 'claude', moreFallbackModels: ['gemini', 'custom'] }
    const chain = await build(list)
    library.fake.reply(REFUSED, { text: 'Here.' }, { text: 'Done.' })
    const run = await library.ended(await library.execute(chain.id))
    const notConfigured = expect.stringMatching(/not configured/)
    const refused = expect.stringMatching(/^The API key for GPT-4o was refused/)
    expect(run.steps[0]).toMatchObject({
      model: 'openai',
      aiResponse: 'Here.',
      fallback: {
        model: 'custom',
        reason: refused,
        failed: [
          { model: 'openai', reason: refused },
          { model: 'claude', reason: notConfigured },
          { model: 'gemini', reason: notConfigured },
        ],
      },
    })
    library.fake.reply(REFUSED, REFUSED)
    const failed = await library.ended(await library.execute(chain.id))
    expect(failed.error).toMatch(
      /^The API key for GPT-4o .* The fallbacks failed too: API key not configured for claude.*gemini.*The API key for Custom/,
    )
  })

  test('A prompt’s fallback models answer too, but not in evaluations; others see which model failed, not why.', async () => {
    const settings = { fallbackModel: 'claude', moreFallbackModels: ['custom'] }
    const prompt = await library.createPrompt(library.owner, { isPublic: true, ...settings })
    const body = { promptId: prompt.id, model: 'openai' }
    const execute = async () =>
      (await library.request({ method: 'POST', url: '/api/execute-prompt', body, as: library.owner }))
        .body as ExecutePromptReply
    library.fake.reply(REFUSED, { text: 'Here.' })
    const reply = await execute()
    const fallback = {
      model: 'custom',
      reason: expect.stringMatching(/GPT-4o was refused/),
      failed: [
        { model: 'openai', reason: expect.stringMatching(/GPT-4o was refused/) },
        { model: 'claude', reason: expect.stringMatching(/not configured/) },
      ],
    }
    expect(reply).toMatchObject({ model: 'openai', result: 'Here.', fallback })
    const url = `/api/prompts/${prompt.id}/executions/${reply.executionId}`
    const read = async (as: TestUser) => (await library.request({ url, as })).body as PromptRun
    expect(await read(library.owner)).toMatchObject({ model: 'openai', fallback })
    const share = `/api/executions/${reply.executionId}/share`
    expect((await library.request({ method: 'PUT', url: share, as: library.owner })).status).toBe(204)
    const shown = await read(library.other)
    expect(shown).toMatchObject({ sight: 'texts', fallback: { model: 'custom', failed: [{}, {}] } })
    expect(JSON.stringify(shown.fallback)).not.toMatch(/refused|configured/)
    library.fake.reply(REFUSED, { text: 'Here.' })
    const headers = { accept: 'text/event-stream' }
    const streamed = { method: 'POST', url: '/api/execute-prompt', body, headers, as: library.owner } as const
    const { text } = await library.request(streamed)
    expect([...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)).toEqual(['start', 'delta', 'done'])
    library.fake.reply({ text: 'At once.' })
    expect(await execute()).not.toHaveProperty('fallback')
  })

  test('what both calls took is counted', async () => {
    const chain = await build()
    const empty = { text: '', inputTokens: 100, outputTokens: 10 }
    library.fake.reply(empty, { text: 'Here.', inputTokens: 200, outputTokens: 20 })
    const run = await library.ended(await library.execute(chain.id))
    expect(run.steps[0]).toMatchObject({ inputTokens: 300, outputTokens: 30, costUsd: 0.0006 })
    library.fake.reply(empty, empty)
    const failed = await library.ended(await library.execute(chain.id))
    expect(failed.steps[0]).toMatchObject({
      status: 'failed',
      inputTokens: 200,
      outputTokens: 20,
      costUsd: 0.0004,
    })
  })

  test('does not answer where a person stopped the run, nor after a caller has read the beginning of an answer', async () => {
    const chain = await build()
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await expect.poll(() => library.fake.journal.length).toBe(1)
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })
    expect(await library.ended(id)).toMatchObject({ status: 'cancelled' })
    expect(asked()).toHaveLength(1)
    library.fake.reset()
    const { value, chain: served } = await library.serve([{ content: '{{input}}', fallbackModel: 'custom' }])
    const body = { model: 'any', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    library.fake.reply({ text: ['half an '], fault: 'cut' })
    await (await library.post('/v1/chat/completions', value, body)).text()
    expect(await library.lastRun(served.id)).toMatchObject({ status: 'failed' })
    library.fake.reset()
    library.fake.reply(REFUSED, { text: 'Whole.' })
    const answer = await (await library.post('/v1/chat/completions', value, body)).text()
    expect(answer).toContain('Whole.')
    expect((await library.lastRun(served.id)).steps[0]?.fallback).toMatchObject({ model: 'custom' })
  })

  test('the step that failed may be tried with another model, this once', async () => {
    const chain = await build({ fallbackModel: null })
    library.fake.reply(REFUSED, { text: 'Here.' }, { text: 'Done.' })
    const id = await library.execute(chain.id)
    await library.ended(id)
    const resume = (body: object) =>
      library.request({ method: 'POST', url: `/api/executions/${id}/resume`, body, as: library.owner })
    expect((await resume({ model: 'nobody' })).status).toBe(400)
    expect((await resume({ model: 'custom' })).body as StartedRun).toMatchObject({ id })
    expect((await library.ended(id)).steps.map(({ model }) => model)).toEqual(['custom', 'openai'])
    const url = `/api/chains/${chain.id}`
    expect((await library.request({ url, as: library.owner })).body).toMatchObject({
      steps: [{ model: 'openai' }, {}],
    })
  })
})
