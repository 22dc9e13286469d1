import type { ExecutePromptReply, PromptRun } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Gateway, startGateway } from '../../testing/gateway.ts'

const SCHEMA = {
  type: 'object',
  properties: { title: { type: 'string' }, refund: { type: 'number' } },
  required: ['title', 'refund'],
  additionalProperties: false,
}
const output = { type: 'json', schema: SCHEMA }
const GOOD = '{"title": "Sign-in", "refund": 49.9}'
const BAD = '{"title": "Sign-in", "refund": "49,90 €"}'
const WHY = 'refund is “49,90 €”, not a number'
const usage = { inputTokens: 10, outputTokens: 5 }

describe.each(routeDatabaseKinds)('answers by a schema, on %s', (kind) => {
  let library: Gateway
  beforeAll(async () => {
    library = await startGateway(kind)
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const bodies = () => library.fake.journal.map(({ body }) => body)

  async function run(fields: object = { output }) {
    const prompt = await library.createPrompt(library.owner, { content: 'Sort this.', ...fields })
    const body = { promptId: prompt.id, model: 'openai' }
    const reply = await library.request({
      method: 'POST',
      url: '/api/execute-prompt',
      body,
      as: library.owner,
    })
    const url = `/api/prompts/${prompt.id}/executions`
    const [newest] = (await library.request({ url, as: library.owner })).body as PromptRun[]
    return { reply, run: newest, result: reply.body as ExecutePromptReply }
  }

  test('one that matches is kept as the model wrote it, and said to be valid', async () => {
    library.fake.reply({ text: GOOD })
    const { result, run: kept } = await run()
    const structured = { isValid: true, isRepaired: false, errors: [], repairs: [] }
    expect(result).toMatchObject({ result: GOOD, structured })
    expect(kept).toMatchObject({ aiResponse: GOOD, structured })
    expect(bodies()[0]?.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: SCHEMA, strict: true },
    })
  })

  test('An answer by a schema is checked, and one that does not match is asked for once more with what is wrong. Both calls count.', async () => {
    library.fake.reply({ text: BAD, ...usage }, { text: GOOD, ...usage })
    const { result, run: kept } = await run()
    const structured = {
      isValid: true,
      isRepaired: true,
      errors: [{ path: 'refund', message: WHY }],
      repairs: [{ path: 'refund', before: '49,90 €' }],
    }
    expect(result).toMatchObject({ result: GOOD, structured, inputTokens: 20, outputTokens: 10 })
    expect(kept).toMatchObject({ status: 'completed', aiResponse: GOOD, structured, inputTokens: 20 })
    const [, second] = bodies()
    expect(second?.messages).toMatchObject([
      { role: 'user', content: 'Sort this.' },
      { role: 'assistant', content: BAD },
      { role: 'user', content: expect.stringContaining(WHY) },
    ])
    expect(second?.response_format).toEqual(bodies()[0]?.response_format)
  })

  test('An answer that still does not match fails the run with the field and why (`answer_invalid`); it is kept to look at.', async () => {
    library.fake.reply({ text: BAD, ...usage }, { text: BAD, ...usage })
    const { reply, run: kept } = await run()
    expect(reply.status).toBe(502)
    expect(reply.body).toMatchObject({
      error: `The answer does not match the schema of its output: ${WHY}.`,
      details: 'answer_invalid',
    })
    expect(kept).toMatchObject({
      status: 'failed',
      aiResponse: BAD,
      inputTokens: 20,
      structured: { isValid: false, isRepaired: true, errors: [{ path: 'refund', message: WHY }] },
    })
    expect(bodies()).toHaveLength(2)
  })

  test.each([
    [
      'cut off',
      { text: '{"title": "Si', finish: 'length' },
      'The answer was cut off at the model’s token limit',
    ],
    ['no JSON', { text: 'Sure!' }, 'The answer is not JSON'],
  ] as const)('one that is %s is repaired too', async (_what, said, message) => {
    library.fake.reply(said, { text: GOOD })
    const { result } = await run()
    expect(result.structured).toEqual({
      isValid: true,
      isRepaired: true,
      errors: [{ path: '', message }],
      repairs: [],
    })
  })

  test('An answer by a schema in a code fence is taken out of it.', async () => {
    library.fake.reply({ text: `\`\`\`json\n${GOOD}\n\`\`\`` })
    const { result, run: kept } = await run()
    expect(result).toMatchObject({ result: GOOD, structured: { isValid: true, isRepaired: true } })
    expect(kept?.aiResponse).toBe(GOOD)
    expect(bodies()).toHaveLength(1)
  })

  test('A model that declines is not asked again.', async () => {
    library.fake.reply({ text: 'I will not.', finish: 'refusal' })
    const { reply } = await run()
    expect(reply.status).toBe(502)
    expect(bodies()).toHaveLength(1)
  })

  test('a repair that fails fails the run, and says why of both', async () => {
    library.fake.reply({ text: BAD, ...usage }, { status: 401 })
    const { reply, run: kept } = await run()
    expect((reply.body as { error: string }).error).toMatch(
      /^The answer does not match .* could not be repaired: The API key/,
    )
    expect(kept).toMatchObject({ status: 'failed', aiResponse: BAD, inputTokens: 10 })
  })

  test('A schema that not every vendor takes is refused at its field.', async () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }
    const prompt = await library.createPrompt(library.owner)
    const { title, content, categoryId } = prompt
    const body = { title, content, categoryId, output: { type: 'json', schema } }
    const url = `/api/prompts/${prompt.id}`
    const reply = await library.request({ method: 'PUT', url, body, as: library.owner })
    expect(reply.status).toBe(400)
    const message = 'a: $ref is not supported. Give it one type'
    expect(reply.body).toEqual({ error: message, details: [{ path: 'output.schema', message }] })
  })

  test('a chain’s step is checked the same way', async () => {
    const chain = await library.buildChain([{ content: 'one', model: 'openai', output }, 'two {{a}}'], {
      sharedLevel: 'public',
    })
    library.fake.reply({ text: BAD }, { text: GOOD }, { text: 'Done' })
    const done = await library.ended(await library.execute(chain.id))
    expect(done.steps).toMatchObject([
      { aiResponse: GOOD, structured: { isRepaired: true, repairs: [{ path: 'refund' }] } },
      { inputContent: `two ${GOOD}` },
    ])
    expect(done.steps[1]).not.toHaveProperty('structured')
    library.fake.reply({ text: BAD }, { text: BAD })
    const failed = await library.ended(await library.execute(chain.id))
    expect(failed).toMatchObject({
      status: 'failed',
      errorCode: 'answer_invalid',
      steps: [{ aiResponse: BAD, structured: { isValid: false } }, { status: 'waiting' }],
    })
  })
  test('Later steps take fields of an output that is JSON by a schema, as {{name.items[0].title}}; of any other output that stays plain text.', async () => {
    const chain = await library.buildChain([
      { content: 'one', model: 'openai', output },
      { content: '{{a.title}} costs {{a.refund}}', model: 'openai' },
      { content: '{{b.title}} {{a}}', model: 'openai' },
    ])
    library.fake.reply({ text: GOOD }, { text: 'Two' }, { text: 'Three' })
    const { steps } = await library.ended(await library.execute(chain.id))
    expect(steps.map(({ inputContent }) => inputContent)).toEqual([
      'one',
      'Sign-in costs 49.9',
      `{{b.title}} ${GOOD}`,
    ])
    expect(steps[1]?.inputSegments).toMatchObject([
      { kind: 'output', name: 'a.title' },
      { kind: 'output', name: 'a.refund' },
    ])
  })

  test('A path that the answer lacks stops the step, naming path and step.', async () => {
    const chain = await library.buildChain([
      { content: 'one', model: 'openai', output },
      { content: '{{a.items[0].titel}}', model: 'openai' },
    ])
    library.fake.reply({ text: GOOD })
    const run = await library.ended(await library.execute(chain.id))
    const error = '{{a.items[0].titel}} has no value: the answer of step 1 has no items[0].titel'
    expect(run).toMatchObject({ status: 'failed', errorCode: 'value_missing', steps: [{}, { error }] })
    const [, second] = chain.steps
    const patch = {
      method: 'PATCH',
      url: `/api/chains/${chain.id}/steps/${second?.id}`,
      as: library.owner,
    } as const
    await library.request({ ...patch, body: { content: 'now {{a.title}}' } })
    library.fake.reply({ text: 'Done' })
    await library.request({ method: 'POST', url: `/api/executions/${run.id}/resume`, as: library.owner })
    const resumed = await library.ended(run.id)
    expect(resumed).toMatchObject({ status: 'completed', steps: [{}, { inputContent: 'now Sign-in' }] })
  })

  test('Nothing of an answer by a schema is streamed before it matches.', async () => {
    const { value } = await library.serve([{ content: '{{input}}', model: 'openai', output }])
    library.fake.reply({ text: BAD }, { text: GOOD })
    const ask = { model: 'x', messages: [{ role: 'user', content: 'hi' }], stream: true }
    const reply = await (await library.post('/v1/chat/completions', value, ask)).text()
    const said = [...reply.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
      JSON.parse(text ?? '""'),
    )
    expect(said.join('')).toBe(GOOD)
  })

  test('A caller’s schema works where the last step, or the prompt, has its own: the answer must match both.', async () => {
    const { value } = await library.serve([{ content: '{{input}}', model: 'openai', output }])
    const call = async (schema: object) => {
      const response_format = { type: 'json_schema', json_schema: { name: 'mine', schema } }
      const ask = { model: 'x', messages: [{ role: 'user', content: 'hi' }], response_format }
      return library.post('/v1/chat/completions', value, ask)
    }
    library.fake.reply({ text: GOOD })
    const same = (await (await call(SCHEMA)).json()) as { choices: { message: { content: string } }[] }
    expect(same.choices[0]?.message.content).toBe(GOOD)
    expect(bodies()[0]?.response_format).toMatchObject({ json_schema: { name: 'answer', schema: SCHEMA } })
    library.fake.reply({ text: GOOD }, { text: GOOD })
    const other = await call({ type: 'object', properties: { refund: { maximum: 10 } } })
    expect(other.ok).toBe(false)
    expect(await other.text()).toContain('refund is 49.9, above 10')
  })
})
