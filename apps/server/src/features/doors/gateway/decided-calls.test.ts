import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

const only = (ref: string, value: string) => ({ onlyIf: { all: [{ ref, op: 'is', value }] } })
const stop = (outcome: 'completed' | 'failed', text: string) => ({
  ...{ kind: 'stop', outputVariableName: '', content: '', title: 'End' },
  stop: { outcome, text },
})
const messages = [{ role: 'user', content: 'Hello' }]
const PATH = '/v1/chat/completions'

interface Completion {
  choices: { message: { content: string }; finish_reason: string }[]
  usage: { prompt_tokens: number; completion_tokens: number }
}

describe('a call of a chain that decides', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway('embedded')
  })
  afterAll(() => gateway.close())
  beforeEach(() => gateway.fake.reset())

  const call = async (steps: (string | object)[], fields: object = {}) => {
    const { value, chain } = await gateway.serve(steps)
    const reply = await gateway.post(PATH, value, { model: 'any', messages, ...fields })
    return { reply, chain, text: await reply.text() }
  }
  /** The pieces of a streamed answer, in order. */
  const piecesIn = (text: string) =>
    text
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .flatMap((event) => {
        const [choice] = (
          JSON.parse(event.slice('data: '.length)) as { choices: { delta?: { content?: string } }[] }
        ).choices
        return choice?.delta?.content ?? []
      })

  test('A chain that a step ends as failed is answered as any failed chain, with the step’s text (D73).', async () => {
    for (const steps of [[stop('failed', 'Not for us')], ['one', stop('failed', 'Not for us')]]) {
      const { reply, text } = await call(steps)
      expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([400, 'false'])
      const { error } = JSON.parse(text) as { error: { code: string; message: string } }
      expect(error).toMatchObject({ code: 'chain_failed' })
      expect(error.message).toContain(`Step ${steps.length} “End” ended the run: Not for us`)
    }
  })

  test('The answer is the text of the step that ends the run, or the output of the last step that had one.', async () => {
    for (const [steps, answer] of [
      [['one', stop('completed', 'Done: {{input}}'), 'never'], 'Done: Hello'],
      [['one', { content: 'two', ...only('input', 'other') }], 'The first'],
      [['one', { content: 'two', ...only('input', 'other'), default: 'As usual' }], 'As usual'],
    ] as const) {
      for (const stream of [false, true]) {
        gateway.fake.reset()
        gateway.fake.reply({ text: 'The first' })
        const { reply, text } = await call([...steps], { stream })
        expect(reply.status, text).toBe(200)
        if (stream) {
          expect(piecesIn(text).join('')).toContain(answer)
          continue
        }
        const { choices, usage } = JSON.parse(text) as Completion
        expect(choices[0]).toMatchObject({ message: { content: answer }, finish_reason: 'stop' })
        expect(usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7 })
      }
    }
  })

  test('a call that asks no model at all is answered, and costs nothing', async () => {
    const { reply, text } = await call([stop('completed', 'Closed today')])
    expect(reply.status).toBe(200)
    const { choices, usage } = JSON.parse(text) as Completion
    expect(choices[0]).toMatchObject({ message: { content: 'Closed today' }, finish_reason: 'stop' })
    expect(usage).toMatchObject({ prompt_tokens: 0, completion_tokens: 0 })
    expect(gateway.fake.journal).toEqual([])
  })

  test('A chain that runs for each item answers with all of them, and counts what each took.', async () => {
    const steps = [{ content: 'Do {{item}}', forEach: { list: 'input' } }]
    const said = [{ role: 'user', content: 'A\nB\nC' }]
    for (const stream of [false, true]) {
      gateway.fake.reset()
      gateway.fake.replyByDefault({ text: 'Done' })
      const { reply, text } = await call(steps, { stream, messages: said })
      expect(reply.status, text).toBe(200)
      if (stream) {
        expect(piecesIn(text).join('')).toContain('Done\n\nDone\n\nDone')
        continue
      }
      const { choices, usage } = JSON.parse(text) as Completion
      expect(choices[0]).toMatchObject({
        message: { content: 'Done\n\nDone\n\nDone' },
        finish_reason: 'stop',
      })
      expect(usage).toMatchObject({ prompt_tokens: 33, completion_tokens: 21 })
    }
    const many = [{ content: '{{item}}', forEach: { list: 'input', max: 2 } }]
    const { reply, text } = await call(many, { messages: said })
    expect([reply.status, text]).toEqual([422, expect.stringContaining('input has 3 items')])
  })

  test('a stream shows nothing of a last step that fails and goes on', async () => {
    const steps = ['one', { content: 'two', ifItFails: 'go_on', default: 'As usual' }]
    gateway.fake.reply({ text: 'The first' })
    for (let tries = 0; tries < 4; tries += 1) gateway.fake.reply({ text: ['Half an ans'], fault: 'cut' })
    const { text } = await call(steps, { stream: true })
    expect(text).not.toContain('Half an ans')
    expect(piecesIn(text).join('')).toContain('As usual')
  })

  test('A caller’s schema is refused where another text than the last step’s may be the answer.', async () => {
    const schema = {
      ...{ type: 'object', properties: { city: { type: 'string' } } },
      ...{ required: ['city'], additionalProperties: false },
    }
    const last = { content: 'two', output: { type: 'json', schema } }
    const response_format = { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } }
    for (const steps of [
      ['one', { ...last, ...only('input', 'x') }],
      ['one', { ...last, ifItFails: 'go_on' }],
      ['one', { ...last, forEach: { list: 'input' } }],
      ['one', { ...stop('completed', 'End'), ...only('input', 'x') }, last],
    ]) {
      const { reply, text } = await call(steps, { response_format })
      expect([reply.status, text]).toEqual([
        400,
        expect.stringContaining('a step ends the run or the last step'),
      ])
    }
    expect(gateway.fake.journal).toEqual([])
  })
})
