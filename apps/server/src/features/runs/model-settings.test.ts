import type { ExecutePromptReply, Prompt, PromptRun, PromptVersion } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Gateway, startGateway } from '../../testing/gateway.ts'

const settings = {
  model: 'openai',
  effort: 'high',
  maxTokens: 1_200,
  stop: ['END'],
  systemPrompt: 'Be $<tone>.',
  messages: [
    { role: 'user', content: 'Hello, $<tone> friend' },
    { role: 'assistant', content: 'Hello.' },
  ],
}
const rendered = [
  { role: 'developer', content: 'Be warm.' },
  { role: 'user', content: 'Hello, warm friend' },
  { role: 'assistant', content: 'Hello.' },
]

describe.each(routeDatabaseKinds)('settings of prompts and steps, on %s', (kind) => {
  let library: Gateway
  beforeAll(async () => {
    library = await startGateway(kind, { modelId: 'gpt-6.1-sol' })
    await library.createVariable(library.owner, { name: 'tone', content: 'warm' })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const body = () => library.fake.journal.at(-1)?.body
  const read = async <T>(url: string, as = library.owner) => (await library.request({ url, as })).body as T
  const save = async (prompt: Prompt, fields: object): Promise<Prompt> => {
    const { title, content, categoryId } = prompt
    const reply = await library.request({
      method: 'PUT',
      url: `/api/prompts/${prompt.id}`,
      body: { title, content, categoryId, ...fields },
      as: library.owner,
    })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as Prompt
  }
  const run = (promptId: number, fields: object = {}) =>
    library.request({
      method: 'POST',
      url: '/api/execute-prompt',
      body: { promptId, ...fields },
      as: library.owner,
    })

  test('absent keeps, null takes away, an equal save makes no version, and a copy has them', async () => {
    const first = await library.createPrompt(library.owner, settings)
    expect(first).toMatchObject(settings)
    const kept = await save(first, { ...settings })
    expect(kept.version).toBe(1)
    expect(await save(first, {})).toMatchObject({ ...settings, version: 1 })
    const without = await save(first, { effort: null, messages: null })
    expect(without.version).toBe(2)
    expect(without).not.toHaveProperty('effort')
    expect(without).not.toHaveProperty('messages')
    const old = await read<PromptVersion>(`/api/prompts/${first.id}/versions/1`)
    expect(old).toMatchObject(settings)
    const copy = await library.request({
      method: 'POST',
      url: `/api/prompts/${first.id}/duplicate`,
      as: library.owner,
    })
    const { messages: _, effort: __, ...left } = settings
    expect(copy.body).toMatchObject(left)
  })

  test('Where prompts, versions and steps are listed, long settings are left out, and marked as clipped.', async () => {
    const messages = [{ role: 'user', content: 'x'.repeat(5_000) }]
    const prompt = await library.createPrompt(library.owner, { title: 'Long turns', messages })
    const chain = await library.buildChain([{ content: 'x', messages }, 'short'])
    const listed = [
      (await read<Prompt[]>('/api/prompts')).find(({ id }) => id === prompt.id),
      (await read<PromptVersion[]>(`/api/prompts/${prompt.id}/versions`))[0],
      chain.steps[0],
    ]
    for (const one of listed) {
      expect(one).toMatchObject({ contentClipped: true })
      expect(one).not.toHaveProperty('messages')
    }
    expect(chain.steps[1]).not.toHaveProperty('contentClipped')
    const alone = [
      `/api/prompts/${prompt.id}`,
      `/api/prompts/${prompt.id}/versions/1`,
      `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`,
    ]
    for (const url of alone) {
      const whole = await read<object>(url)
      expect(whole, url).toMatchObject({ messages })
      expect(whole, url).not.toHaveProperty('contentClipped')
    }
  })

  test('a schema keeps the order of its fields through save, version and list, and text takes it away', async () => {
    const schema = { type: 'object', properties: { z: { type: 'string' }, a: { type: 'string' } } }
    const prompt = await library.createPrompt(library.owner, { output: { type: 'json', schema } })
    expect(JSON.stringify(prompt.output)).toBe(JSON.stringify({ type: 'json', schema }))
    const version = await read<PromptVersion>(`/api/prompts/${prompt.id}/versions/1`)
    expect(JSON.stringify(version.output?.schema)).toBe(JSON.stringify(schema))
    expect(await save(prompt, { output: { type: 'text' } })).not.toHaveProperty('output')
  })

  test('A prompt runs as its version says: model, effort, length, stop texts, system prompt and turns; the run keeps what was asked.', async () => {
    const prompt = await library.createPrompt(library.owner, { content: 'Write.', ...settings })
    const reply = await run(prompt.id)
    expect(reply.status, reply.text).toBe(200)
    expect(body()).toMatchObject({
      messages: [...rendered, { role: 'user', content: 'Write.' }],
      reasoning_effort: 'high',
      max_completion_tokens: 1_200 + 32_768,
      stop: ['END'],
    })
    const { executionId } = reply.body as ExecutePromptReply
    const kept = await read<PromptRun>(`/api/prompts/${prompt.id}/executions/${executionId}`)
    expect(kept).toMatchObject({
      model: 'openai',
      systemPrompt: 'Be warm.',
      messages: rendered.slice(1),
      settings: { effort: 'high', maxTokens: 1_200, stop: ['END'] },
    })
    await save(prompt, { effort: 'low', messages: null })
    await run(prompt.id)
    expect(body()).toMatchObject({ reasoning_effort: 'low', messages: [rendered[0], { content: 'Write.' }] })
    await run(prompt.id, { promptVersion: 1 })
    expect(body()).toMatchObject({ reasoning_effort: 'high' })
  })

  test('A request may say otherwise for one run, and null takes a setting away.', async () => {
    const prompt = await library.createPrompt(library.owner, { content: 'Write.', ...settings })
    await run(prompt.id, { effort: null, systemPrompt: 'Be brief.', messages: [], stop: null, maxTokens: 5 })
    const sent = body()
    expect(sent).toMatchObject({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Write.' },
      ],
      max_completion_tokens: 5,
    })
    expect(sent).not.toHaveProperty('reasoning_effort')
    expect(sent).not.toHaveProperty('stop')
  })

  test('What the model, or a fallback, can’t do is refused by name before anything is asked, with 400 `model_unable` (D81).', async () => {
    const prompt = await library.createPrompt(library.owner, { model: 'openai', temperature: 0.2 })
    const reply = await run(prompt.id)
    expect([reply.status, reply.body]).toMatchObject([
      400,
      {
        error: 'GPT-4o doesn’t support a temperature. Remove it, or choose another model.',
        details: 'model_unable',
      },
    ])
    const chain = await library.buildChain([{ content: 'Write.', model: 'openai', temperature: 0.2 }])
    const ended = await library.ended(await library.execute(chain.id))
    expect(ended).toMatchObject({
      status: 'failed',
      error: 'GPT-4o doesn’t support a temperature. Remove it, or choose another model.',
      errorCode: 'model_unable',
    })
    expect(library.fake.journal).toEqual([])
  })

  test('A step runs by its own settings, else by those of the prompt that it links. System prompt and turns are templates.', async () => {
    const prompt = await library.createPrompt(library.owner, { content: 'Write.', ...settings })
    const chain = await library.buildChain([
      { content: 'First.', model: 'openai', effort: 'low', systemPrompt: 'For {{input}}, $<tone>.' },
      {
        content: 'Copy.',
        model: 'openai',
        promptId: prompt.id,
        effort: 'medium',
        systemPrompt: 'After {{a}}',
      },
    ])
    library.fake.reply({ text: 'one' })
    const ended = await library.ended(await library.execute(chain.id, { input: 'Ada' }))
    expect(ended.status, JSON.stringify(ended.error)).toBe('completed')
    const [first, second] = library.fake.journal.map((entry) => entry.body)
    expect(first).toMatchObject({
      reasoning_effort: 'low',
      messages: [
        { role: 'developer', content: 'For Ada, warm.' },
        { role: 'user', content: 'First.' },
      ],
    })
    expect(second).toMatchObject({
      reasoning_effort: 'medium',
      stop: ['END'],
      messages: [{ role: 'developer', content: 'After one' }, ...rendered.slice(1), { content: 'Write.' }],
    })
    expect((await library.find(ended.id)).steps).toMatchObject([
      { systemPrompt: 'For Ada, warm.', settings: { effort: 'low' } },
      { systemPrompt: 'After one', messages: rendered.slice(1), settings: { effort: 'medium' } },
    ])
  })

  test('a missing value in a system prompt stops a run as one in the text does', async () => {
    const chain = await library.buildChain(
      [{ content: 'Write.', model: 'openai', systemPrompt: 'For $<nobody>.' }],
      { stopsWithoutValue: 'always' },
    )
    const ended = await library.ended(await library.execute(chain.id))
    expect(ended).toMatchObject({ status: 'failed', errorCode: 'value_missing' })
  })

  test('a labelled version of a chain runs with the settings that it was saved with', async () => {
    const chain = await library.buildChain([{ content: 'Write.', model: 'openai', effort: 'low' }])
    const [step] = chain.steps
    const changed = await library.request({
      method: 'PATCH',
      url: `/api/chains/${chain.id}/steps/${step?.id}`,
      body: { effort: 'high' },
      as: library.owner,
    })
    expect(changed.status, changed.text).toBe(200)
    const { version } = await read<{ version: number }>(`/api/chains/${chain.id}`)
    const labelled = await library.request({
      method: 'PUT',
      url: `/api/chains/${chain.id}/labels/live`,
      body: { version: version - 1, expectedVersion: null },
      as: library.owner,
    })
    expect(labelled.status, labelled.text).toBe(200)
    const { token } = await library.createToken(chain.id, { chainLabel: 'live' })
    await library.post('/v1/chat/completions', token, {
      model: `chain-${chain.id}`,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(body()).toMatchObject({ reasoning_effort: 'low' })
  })
})
