import type { Prompt } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import { promptBody } from '../../../testing/library.ts'

const CHAT = '/v1/chat/completions'
const messages = [{ role: 'user', content: 'Hello' }]
const ask = { model: 'any', messages }
const steps = ['one {{input}}', 'two {{a}}', 'three {{b}}']

describe.each(routeDatabaseKinds)('a call that goes on with a failed run, on %s', (kind) => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway(kind)
  })
  afterAll(() => gateway.close())
  beforeEach(() => gateway.fake.reset())

  /** A token, and its call whose second step failed. */
  async function failedCall(body: object = ask, path = CHAT, made?: { value: string }) {
    const served = made ?? (await gateway.serve(steps))
    gateway.fake.reply({ text: 'A', inputTokens: 100, outputTokens: 10 }, { status: 401 })
    const reply = await gateway.post(path, served.value, body)
    expect(reply.status).toBe(path === '/v1/messages' ? 403 : 400)
    gateway.fake.reset()
    return {
      ...(served as Awaited<ReturnType<Gateway['serve']>>),
      run: reply.headers.get('x-catenary-execution') ?? '',
    }
  }
  const resume = (value: string, run: string, body: object = ask, headers: object = {}, path = CHAT) =>
    gateway.post(path, value, body, { 'x-catenary-resume': run, ...headers })
  const said = async (reply: Response) => {
    const { error } = (await reply.json()) as { error: { message: string } }
    return [reply.status, reply.headers.get('x-should-retry'), error.message]
  }
  const change = (method: 'PUT' | 'PATCH', url: string, body: object) =>
    gateway.request({ method, url, body, as: gateway.owner })

  test.each([
    ['/v1/messages', { ...ask, max_tokens: 50 }],
    [CHAT, ask],
    ['/v1/responses', { model: 'any', input: 'Hello' }],
  ])(
    'A call resumes its failed run by x-catenary-resume, and no completed step is called or counted again. (%s)',
    async (path, body) => {
      for (const stream of [false, true]) {
        const { value, run, chain, token } = await failedCall(body, path)
        gateway.fake.reply(
          { text: 'B', inputTokens: 5, outputTokens: 2 },
          { text: ['C1 ', 'C2'], inputTokens: 7, outputTokens: 3 },
        )
        const reply = await resume(value, run, { ...body, stream }, {}, path)
        expect([reply.status, reply.headers.get('x-catenary-execution')]).toEqual([200, run])
        const text = await reply.text()
        expect(text).toContain(stream ? 'C2' : 'C1 C2')
        if (!stream) expect(text).toMatch(/"(input|prompt)_tokens":12/)
        expect(gateway.sent()).toEqual(['two A', 'three B'])
        expect(await gateway.lastRun(chain.id)).toMatchObject({
          ...{ id: Number(run), status: 'completed', completedSteps: 3, output: 'C1 C2' },
        })
        const url = `/api/tokens?chainId=${token.chainId}`
        const [listed] = (await gateway.request({ url, as: gateway.owner })).body as object[]
        expect(listed).toMatchObject({ calls: 2, inputTokens: 112, outputTokens: 15 })
      }
    },
  )

  test('of two calls at once one resumes the run, the other is refused with the reason', async () => {
    const { value, run } = await failedCall()
    gateway.fake.replyByDefault({ text: 'B', delayMs: 30 })
    const replies = await Promise.all([resume(value, run), resume(value, run)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(gateway.fake.journal).toHaveLength(2)
    expect(await said(await resume(value, run))).toEqual([409, 'false', `Run ${run} is complete.`])
  })

  test('one that fails again can be gone on with again', async () => {
    const { value, run } = await failedCall()
    gateway.fake.reply({ text: 'B' }, { status: 401 }, { text: 'C' })
    expect((await resume(value, run)).status).toBe(400)
    expect((await resume(value, run)).status).toBe(200)
    expect(gateway.sent()).toEqual(['two A', 'three B', 'three B'])
  })

  test('it ends with its caller, and is there to be gone on with', async () => {
    const { value, run, chain } = await failedCall()
    gateway.fake.reply({ text: ['begun '], fault: 'silence' })
    const caller = new AbortController()
    const left = gateway
      .post(CHAT, value, ask, { 'x-catenary-resume': run }, caller.signal)
      .catch(() => undefined)
    await expect.poll(() => gateway.fake.journal.length).toBe(1)
    expect(await said(await resume(value, run))).toEqual([409, 'false', `Run ${run} is still running.`])
    caller.abort()
    await left
    await expect.poll(async () => (await gateway.lastRun(chain.id)).status).toBe('cancelled')
    gateway.fake.reset()
    expect((await resume(value, run)).status).toBe(200)
  })

  test('with an Idempotency-Key it goes on by itself, and a repeat follows it', async () => {
    const { value, run } = await failedCall()
    const key = { 'idempotency-key': 'again' }
    const replies = await Promise.all([resume(value, run, ask, key), resume(value, run, ask, key)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(gateway.fake.journal).toHaveLength(2)
    expect((await gateway.post(CHAT, value, ask, key)).status).toBe(409)
  })

  describe('A call that can’t resume its run is 409, and says why.', () => {
    test('what is no run of this token: another one’s, none at all, one by hand', async () => {
      const { value, run } = await failedCall()
      const other = await gateway.serve(steps)
      const byHand = `${await gateway.execute(other.chain.id, { input: 'x' })}`
      await gateway.ended(Number(byHand))
      for (const id of [run, '999999', byHand]) {
        expect(await said(await resume(other.value, id))).toEqual([
          409,
          'false',
          `This token has no run ${id}.`,
        ])
      }
      for (const id of ['x', '0', '9999999999']) expect((await resume(value, id)).status).toBe(400)
    })

    test('a chain that was changed', async () => {
      const { value, run, chain } = await failedCall()
      await change('PATCH', `/api/chains/${chain.id}/steps/${chain.steps[2]?.id}`, {
        content: 'changed {{b}}',
      })
      expect(await said(await resume(value, run))).toEqual([
        409,
        'false',
        expect.stringMatching(/^The chain was changed after run \d+\. Call the chain again/),
      ])
    })

    test('a linked prompt that was changed', async () => {
      const { id: promptId } = await gateway.createPrompt(gateway.owner, { content: 'Dear {{a}}' })
      const made = await gateway.serve(['one {{input}}', { promptId }])
      const { value, run } = await failedCall(ask, CHAT, made)
      const prompt = (await gateway.request({ url: `/api/prompts/${promptId}`, as: gateway.owner }))
        .body as Prompt
      const { status } = await change('PUT', `/api/prompts/${promptId}`, {
        ...promptBody(gateway),
        content: 'Hey {{a}}',
        revision: prompt.revision,
      })
      expect(status).toBe(200)
      expect(await said(await resume(value, run))).toEqual([
        409,
        'false',
        expect.stringMatching(/^The prompt of step 2 “Welcome” was changed after run \d+\./),
      ])
    })

    test('a chain that is out of the token’s scope by now, or not the one that is named', async () => {
      const chains = [await gateway.buildChain(steps), await gateway.buildChain(steps)]
      const [id, otherId] = chains.map((chain) => chain.id)
      const { token, id: tokenId } = await gateway.createBestToken({ includedChainIds: [id, otherId] })
      const named = { ...ask, model: `chain-${id}` }
      const { run } = await failedCall(named, CHAT, { value: token })
      expect(await said(await resume(token, run, { ...ask, model: `chain-${otherId}` }))).toEqual([
        409,
        'false',
        `Run ${run} belongs to chain-${id}. Name that model to resume it.`,
      ])
      const url = `/api/api-tokens/${tokenId}`
      await gateway.request({
        method: 'PATCH',
        url,
        as: gateway.owner,
        body: { includedChainIds: [otherId] },
      })
      expect(await said(await resume(token, run))).toEqual([
        409,
        'false',
        `The chain of run ${run} is no longer in this token’s scope.`,
      ])
      await gateway.request({ method: 'PATCH', url, as: gateway.owner, body: { includedChainIds: [id] } })
      const reply = await resume(token, run)
      expect((await reply.json()).best_chain).toMatchObject({ selected_chain_id: id })
      expect(gateway.fake.journal).toHaveLength(2)
    })

    test('another question, or other limits', async () => {
      const { value, run } = await failedCall()
      for (const body of [
        { ...ask, messages: [{ role: 'user', content: 'Bye' }] },
        { ...ask, max_tokens: 7 },
      ]) {
        expect(await said(await resume(value, run, body))).toEqual([
          409,
          'false',
          expect.stringMatching(/^This call differs from run \d+\./),
        ])
      }
      expect(gateway.fake.journal).toHaveLength(0)
    })
  })
})
