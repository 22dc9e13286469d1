import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

const reminder = '<system-reminder>\nToday is Monday.\n</system-reminder>\n'
const text = (said: string, type = 'text') => ({ type, text: said })

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())
beforeEach(() => gateway.fake.reset())

/** What the chain is given as `{{input}}` and `{{input_context}}`, and what is kept of the call. */
async function given(path: string, body: object) {
  const { value, chain } = await gateway.serve(['{{input}} | {{input_context}}'])
  const reply = await gateway.post(path, value, { model: 'any', ...body })
  expect(reply.status, await reply.clone().text()).toBe(200)
  return { sent: gateway.sent(), kept: (await gateway.lastRun(chain.id)).input, reply }
}

describe('what a client adds by itself', () => {
  test('What a client adds by itself is kept with the call, and is neither input nor what a choice reads (D65).', async () => {
    const { sent, kept } = await given('/v1/messages', {
      max_tokens: 50,
      system: [
        text('x-anthropic-billing-header: cc_version=2.1.330.839; cc_entrypoint=cli;'),
        text('Be kind.'),
      ],
      messages: [
        { role: 'user', content: [text(reminder), text('Write a letter')] },
        { role: 'assistant', content: 'To whom?' },
        { role: 'user', content: [text(reminder)] },
        { role: 'user', content: [text('To Anna'), text(reminder)] },
      ],
    })
    expect(sent).toEqual([
      'To Anna | System: Be kind.\n\nUser: Write a letter\n\nAssistant: To whom?\n\nUser: To Anna',
    ])
    expect(kept).toBe(
      `System: x-anthropic-billing-header: cc_version=2.1.330.839; cc_entrypoint=cli;\nBe kind.\n\nUser: ${reminder}\nWrite a letter` +
        `\n\nAssistant: To whom?\n\nUser: ${reminder}\n\nUser: To Anna\n${reminder}`,
    )
  })

  test('one question with nothing but additions around it is given as it stands', async () => {
    const { sent, kept } = await given('/v1/messages', {
      max_tokens: 50,
      messages: [{ role: 'user', content: [text(reminder + reminder), text('Hello')] }],
    })
    expect(sent).toEqual(['Hello | Hello'])
    expect(kept).toBe(`User: ${reminder}${reminder}\nHello`)
  })

  test('Codex’s environment, and OpenCode’s reminders on the chat wire', async () => {
    const environment = '<environment_context>\n  <cwd>/home</cwd>\n</environment_context>'
    const codex = await given('/v1/responses', {
      input: [
        { type: 'message', role: 'user', content: [text(environment, 'input_text')] },
        { type: 'message', role: 'user', content: [text('Hello', 'input_text')] },
      ],
    })
    expect([codex.sent, codex.kept]).toEqual([['Hello | Hello'], `User: ${environment}\n\nUser: Hello`])
    gateway.fake.reset()
    const openCode = await given('/v1/chat/completions', {
      messages: [{ role: 'user', content: [text('Hello'), text(reminder)] }],
    })
    expect(openCode.sent).toEqual(['Hello | Hello'])
  })

  test.each([
    ['quotes one', `What does ${reminder} mean?`],
    ['begins with one', `${reminder}What does it mean?`],
    ['has words between two', `${reminder}Why?${reminder}`],
    ['has no end', '<system-reminder>\nWhy?'],
    ['talks of billing', 'x-anthropic-billing-header: what is it?\nTell me.'],
  ])('a question that %s is the person’s own', async (_what, question) => {
    const { sent, kept } = await given('/v1/chat/completions', {
      messages: [{ role: 'user', content: [text(question)] }],
    })
    expect([sent, kept]).toEqual([[`${question} | ${question}`], question])
  })

  test('a call of nothing but additions asks nothing', async () => {
    const { value } = await gateway.serve()
    const body = { model: 'any', max_tokens: 5, messages: [{ role: 'user', content: [text(reminder)] }] }
    expect((await gateway.post('/v1/messages', value, body)).status).toBe(400)
  })

  test('Best Chain chooses by the question alone', async () => {
    const wanted = await gateway.buildChain(['x'], { name: 'Letter writer' })
    const other = await gateway.buildChain(['x'], { name: 'Monday planner' })
    const { token } = await gateway.createBestToken({ includedChainIds: [wanted.id, other.id] })
    gateway.fake.replyByDefault({ status: 500 })
    const body = { messages: [{ role: 'user', content: [text('Write a letter'), text(reminder)] }] }
    const { best_chain: choice } = await (await gateway.post('/v1/route', token, body)).json()
    expect(choice.selected_chain_id).toBe(wanted.id)
    expect(JSON.stringify(gateway.fake.journal)).not.toContain('Monday.')
  })

  test('A stream of the Messages API begins with an estimate of its input.', async () => {
    const { value } = await gateway.serve()
    const body = {
      ...{ model: 'any', max_tokens: 50, stream: true, system: 'Be kind.' },
      messages: [{ role: 'user', content: [text(reminder), text('Hello')] }],
    }
    const counted = await (await gateway.post('/v1/messages/count_tokens', value, body)).json()
    const stream = await (await gateway.post('/v1/messages', value, body)).text()
    expect(counted.input_tokens).toBeGreaterThan(10)
    expect(stream).toContain(`"usage":{"input_tokens":${counted.input_tokens},"output_tokens":0}}`)
  })
})
