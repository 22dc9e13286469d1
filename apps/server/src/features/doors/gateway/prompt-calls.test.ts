import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PromptServer, startPromptServer } from '../../../testing/prompt-server.ts'

let server: PromptServer
beforeAll(async () => {
  server = await startPromptServer('embedded', { hasCustom: true })
})
afterAll(() => server.close())
beforeEach(() => {
  server.fake.reset()
  server.fake.replyByDefault({ text: ['Hi ', 'there'], inputTokens: 5, outputTokens: 2 })
})

/** A prompt with a token that runs it. */
async function serve(content = 'Write to $<customer>.', fields: object = {}, settings: object = {}) {
  const prompt = await server.createPrompt(server.owner, { content, ...settings })
  const token = await server.createReadToken([prompt.id], { mayRun: true, ...fields })
  const client = new OpenAI({ baseURL: `${server.address}/v1`, apiKey: token.token, maxRetries: 0 })
  return { ...prompt, tokenId: token.id, token: token.token, client }
}
const variables = { customer: 'Ada' }
const sent = () => server.fake.journal.at(-1)?.body as { messages: { content: string }[] } | undefined

describe('openai, changed in nothing but address and key', () => {
  test('/v1/responses takes a prompt with id or prompt_id, version and variables, from the official openai client, streamed and not.', async () => {
    const { id, slug, client } = await serve()
    const alias = `pmpt_${id}`
    await server.request({ method: 'PUT', url: `/api/prompts/${id}/aliases/${alias}`, as: server.owner })
    for (const name of [slug, `${id}`, alias]) {
      const created = await client.responses.create({ prompt: { id: name, variables } })
      expect(created).toMatchObject({ status: 'completed', output_text: 'Hi there', model: 'openai' })
      expect(created.prompt).toEqual({ id: name, version: '1', variables })
      expect(created.usage).toMatchObject({ input_tokens: 5, output_tokens: 2, total_tokens: 7 })
      expect(sent()).toMatchObject({ messages: [{ role: 'user', content: 'Write to Ada.' }] })
    }
  })

  test('streams one, by its events and by its helper', async () => {
    const { slug, client } = await serve()
    const prompt = { id: slug, variables }
    let text = ''
    const types = []
    for await (const event of await client.responses.create({ prompt, stream: true })) {
      types.push(event.type)
      if (event.type === 'response.output_text.delta') text += event.delta
    }
    expect(text).toBe('Hi there')
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed'])
    const final = await client.responses.stream({ prompt }).finalResponse()
    expect([final.output_text, final.usage?.total_tokens]).toEqual(['Hi there', 7])
  })

  test('errors by their classes', async () => {
    const { slug, client } = await serve()
    const missing = client.responses.create({ prompt: { id: 'nobody-has-it' } })
    await expect(missing).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await expect(missing).rejects.toMatchObject({ code: 'prompt_not_found', param: 'prompt.id' })
    const { client: reader } = await serve('one', { mayRun: false })
    const refused = reader.responses.create({ prompt: { id: slug } })
    await expect(refused).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError)
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining('This token can fetch prompts but not run them.'),
    })
    expect(server.fake.journal).toHaveLength(0)
  })
})

describe('which version runs', () => {
  test('production, else the newest; or a number, or a label', async () => {
    const { id, slug, client } = await serve('one')
    await server.saveText(id, 'two')
    const run = async (version?: string) => {
      const prompt = { id: slug, ...(version !== undefined && { version }) }
      const created = await client.responses.create({ prompt })
      return [created.prompt?.version, sent()?.messages.at(-1)?.content]
    }
    expect(await run()).toEqual(['2', 'two'])
    await server.moveLabel(id, 'production', 1)
    expect([await run(), await run('2'), await run('latest')]).toEqual([
      ['1', 'one'],
      ['2', 'two'],
      ['2', 'two'],
    ])
    await expect(run('3')).rejects.toMatchObject({ status: 404 })
    await expect(run('staging')).rejects.toMatchObject({ status: 404 })
  })
})

describe('what is sent', () => {
  test('variables as text or as its parts, instructions as the system prompt, input after the text', async () => {
    const { slug, client } = await serve('To $<customer>.')
    await client.responses.create({
      prompt: { id: slug, variables: { customer: { type: 'input_text', text: 'Grace' } } },
      instructions: 'Be kind.',
      input: 'In one line.',
      max_output_tokens: 50,
    })
    expect(sent()).toMatchObject({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'To Grace.\n\nIn one line.' },
      ],
      max_tokens: 50,
    })
    await client.responses.create({
      prompt: { id: slug, variables },
      input: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: 'Again' },
      ],
    })
    expect(sent()?.messages.map(({ content }) => content)).toEqual(['To Ada.', 'Hello', 'Hi', 'Again'])
  })

  test('prompt_id names it too; an alias of ours chooses the model, any other name does not', async () => {
    const { slug, token } = await serve('one')
    const ask = async (body: object) => (await server.post('/v1/responses', token, body)).json()
    expect(await ask({ prompt: { prompt_id: slug }, model: 'custom' })).toMatchObject({ model: 'custom' })
    expect(await ask({ prompt: { id: slug }, model: 'gpt-4o' })).toMatchObject({ model: 'openai' })
  })

  test('a reference without a value is refused by its name, and costs nothing', async () => {
    const { slug, token } = await serve('To $<customer>.')
    const reply = await server.post('/v1/responses', token, { prompt: { id: slug } })
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('$<customer> has no value') } },
    ])
    expect(server.fake.journal).toHaveLength(0)
  })

  test.each([
    ['a picture', { variables: { customer: { type: 'input_image', image_url: 'x' } } }, {}],
    ['no name', { id: null }, {}],
    ['a conversation of before', {}, { previous_response_id: 'resp_1' }],
  ])('%s is refused', async (_what, prompt, fields) => {
    const { slug, token } = await serve('one')
    const body = { prompt: { id: slug, ...prompt }, ...fields }
    const reply = await server.post('/v1/responses', token, body)
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error' } },
    ])
  })

  test('Where a prompt answers in text, a caller’s schema is refused by name.', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const text = { format: { type: 'json_schema' as const, name: 'letter', schema } }
    const { slug, client } = await serve('Sort.', {}, { output: { type: 'json', schema } })
    server.fake.reply({ text: '{"a": "b"}' })
    const created = await client.responses.create({ prompt: { id: slug }, text })
    expect(created.output_text).toBe('{"a": "b"}')
    const plain = await serve('Sort.')
    const refused = plain.client.responses.create({ prompt: { id: plain.slug }, text })
    await expect(refused).rejects.toMatchObject({ status: 400, param: 'text.format' })
    expect(server.fake.journal).toHaveLength(1)
  })

  test('a key of idempotency is refused, as the run would end with its caller', async () => {
    const { slug, token } = await serve('one')
    const body = { prompt: { id: slug } }
    expect((await server.post('/v1/responses', token, body, { 'idempotency-key': 'one' })).status).toBe(400)
  })
})

describe('who may call', () => {
  test('a read token runs no chain, and the token of a chain no prompt', async () => {
    const { slug, token } = await serve()
    const { value } = await server.serve()
    const asked = { model: 'any', input: 'Hello' }
    const [chain, prompt] = [
      await server.post('/v1/responses', token, asked),
      await server.post('/v1/responses', value, { ...asked, prompt: { id: slug } }),
    ]
    expect([chain.status, prompt.status]).toEqual([400, 400])
    expect(await prompt.json()).toMatchObject({ error: { param: 'prompt' } })
  })

  test('an inactive prompt is kept, and not run', async () => {
    const { id, slug, token } = await serve('one')
    await server.request({ method: 'PATCH', url: `/api/prompts/${id}/toggle`, as: server.owner })
    expect((await server.post('/v1/responses', token, { prompt: { id: slug } })).status).toBe(409)
  })
})

describe('how it is kept', () => {
  test('A call with a prompt is a run through its token, with its metrics and money. It is refused without mayRun, and without a value (D44).', async () => {
    const { id, slug, tokenId, client, title } = await serve()
    await client.responses.create({ prompt: { id: slug, variables }, metadata: { from: 'test' } })
    const { body } = await server.request({ url: `/api/tokens/${tokenId}/executions`, as: server.owner })
    const [run] = body as { id: number }[]
    expect(body).toMatchObject([
      {
        chainId: null,
        promptId: id,
        chainName: title,
        trigger: 'token',
        status: 'completed',
        executedBy: 'Olga',
      },
    ])
    expect(await server.find(run?.id ?? 0)).toMatchObject({
      ...{ kind: 'prompt', token: { id: tokenId, name: 'Billing' }, sight: 'own' },
      apiCall: { path: '/v1/responses', ignored: ['metadata'] },
    })
    const strange = await server.request({ url: `/api/executions/${run?.id}`, as: server.other })
    expect(strange.status).toBe(404)
    const ofAdmin = await server.request({ url: `/api/tokens/${tokenId}/executions`, as: server.admin })
    expect(ofAdmin.body).toMatchObject([{ chainName: '', sight: 'figures', token: null }])
    const tokens = await server.request({ url: '/api/read-tokens', as: server.owner })
    const shown = (tokens.body as { id: number }[]).find((each) => each.id === tokenId)
    expect(shown).toMatchObject({ calls: 1, inputTokens: 5, outputTokens: 2 })
  })

  test('its money is bounded: then it is insufficient_quota', async () => {
    const { slug, token } = await serve('one', { monthlyBudgetUsd: 0 })
    const reply = await server.post('/v1/responses', token, { prompt: { id: slug } })
    expect([reply.status, await reply.json()]).toMatchObject([429, { error: { code: 'insufficient_quota' } }])
  })

  test('a failure of the model is counted and reported in OpenAI’s form', async () => {
    const { slug, tokenId, token } = await serve('one')
    server.fake.replyByDefault({ status: 401 })
    const reply = await server.post('/v1/responses', token, { prompt: { id: slug } })
    expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([503, 'false'])
    const { body } = await server.request({ url: '/api/read-tokens', as: server.owner })
    const shown = (body as { id: number }[]).find((each) => each.id === tokenId)
    expect(shown).toMatchObject({ lastError: { code: 'model_key' } })
  })
})
