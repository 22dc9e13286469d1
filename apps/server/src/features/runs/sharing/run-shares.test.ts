import type {
  Chain,
  ChainRunSummary,
  ExecutePromptReply,
  ListedPromptRun,
  RunShare,
} from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { sendAsForm } from '../../../testing/send-as-form.ts'
import { Watcher } from '../../../testing/watcher.ts'

const SECRET = 'Zebra-4711'

describe.each(routeDatabaseKinds)('runs that their runner shares, on %s', (kind) => {
  let library: Gateway
  const people: Record<string, TestUser | undefined> = {}
  let runner: TestUser
  let viewer: TestUser
  beforeAll(async () => {
    library = await startGateway(kind)
    runner = await library.registerUser({ username: 'Vera' })
    viewer = await library.registerUser({ username: 'Viktor' })
    const editor = await library.registerUser({ username: 'Edda' })
    const disabled = await library.registerUser({ username: 'Dora' })
    const { owner, other, admin } = library
    Object.assign(people, { guest: undefined, disabled, other, viewer, editor, owner, admin, runner })
    const url = `/api/admin/users/${disabled.user.id}`
    await library.request({ method: 'PATCH', url, body: { disabled: true }, as: admin })
    for (const name of ['client', 'code']) await library.createVariable(runner, { name, content: SECRET })
  })
  afterAll(() => library.close())
  beforeEach(() => {
    library.fake.reset()
    library.fake.replyByDefault(({ body }) => ({ text: JSON.stringify(body) }))
  })

  const build = async (contents = ['Dear $<client>'], fields: object = {}): Promise<Chain> => {
    const chain = await library.buildChain(contents, { sharedLevel: 'shared', ...fields })
    const body = [
      { username: 'Vera', role: 'viewer' },
      { username: 'Viktor', role: 'viewer' },
      { username: 'Edda', role: 'editor' },
    ]
    await library.request({ method: 'PUT', url: `/api/chains/${chain.id}/shares`, body, as: library.owner })
    return chain
  }
  const run = async (chain: Chain, as = runner) => {
    const id = await library.execute(chain.id, {}, as)
    await library.ended(id, as)
    return id
  }
  const send = async (method: 'GET' | 'PUT' | 'DELETE', url: string, as?: TestUser, body?: object) =>
    library.request({ method, url, body, as })
  const accessFor = async (id: number, as: TestUser | undefined) => {
    const { status, body } = await send('GET', `/api/executions/${id}`, as)
    return status === 200 ? (body as ChainRunSummary).sight : status
  }
  const accessLevels = (id: number) => Promise.all([viewer, people.editor].map((as) => accessFor(id, as)))

  test('one run, with everyone who sees the chain, until it is taken back', async () => {
    const chain = await build()
    const [id, other] = [await run(chain), await run(chain)]
    expect(await accessLevels(id)).toEqual([404, 'presence'])
    const share = `/api/executions/${id}/share`
    expect((await send('PUT', share, runner)).status).toBe(204)
    expect([await accessLevels(id), await accessLevels(other)]).toEqual([
      ['texts', 'texts'],
      [404, 'presence'],
    ])
    expect((await library.find(id, viewer)).steps[0]?.inputContent).toBe(`Dear ${SECRET}`)
    expect(JSON.stringify((await library.find(id, viewer)).steps[0]?.resolved)).toContain('"variableId":null')
    const listed = await send('GET', `/api/chains/${chain.id}/executions`, viewer)
    expect(listed.body).toMatchObject([{ id, sight: 'texts', sharing: 'run', executedBy: 'Vera' }])
    expect(await accessFor(id, library.other)).toBe(404)
    expect((await send('DELETE', share, runner)).status).toBe(204)
    expect(await accessLevels(id)).toEqual([404, 'presence'])
  })

  test('only as it ended: resuming it ends the share, and what goes on can not be shared', async () => {
    const chain = await build(['Dear $<client>', 'Again'])
    library.fake.reply({ text: 'A' }, { status: 400, message: `bad ${SECRET}` })
    const id = await run(chain)
    await send('PUT', `/api/executions/${id}/share`, runner)
    expect(await accessLevels(id)).toEqual(['texts', 'texts'])
    const hold = Promise.withResolvers<void>()
    library.fake.reply({ text: 'B', beforeAnyByte: () => hold.promise })
    await library.request({ method: 'POST', url: `/api/executions/${id}/resume`, as: runner })
    expect((await send('PUT', `/api/executions/${id}/share`, runner)).status).toBe(409)
    hold.resolve()
    await library.ended(id, runner)
    expect((await library.find(id, runner)).status).toBe('completed')
    expect(await accessLevels(id)).toEqual([404, 'presence'])
  })

  test('A runner shares one ended run, or all of theirs by the private names that this covers.', async () => {
    const chain = await build(['Dear $<Client>'])
    const url = `/api/chains/${chain.id}/run-share`
    expect((await send('GET', url, runner)).body).toEqual({
      ...{ isShared: false, names: [], privateNames: ['client'] },
    })
    const first = await run(chain)
    expect((await send('PUT', url, runner, { names: ['CLIENT'] })).body).toEqual({
      ...{ isShared: true, names: ['client'], privateNames: ['client'] },
    })
    const second = await run(chain)
    expect([await accessLevels(first), await accessLevels(second)]).toEqual([
      ['texts', 'texts'],
      ['texts', 'texts'],
    ])
    await library.createStep(library.owner, chain.id, { content: 'Code $<code>', outputVariableName: 'z' })
    const third = await run(chain)
    expect(await accessLevels(third)).toEqual([404, 'presence'])
    expect((await library.find(third, runner)).sharing).toBe('none')
    expect((await send('GET', url, runner)).body).toMatchObject({ privateNames: ['client', 'code'] })
    await send('PUT', url, runner, { names: ['client', 'code'] })
    expect(await accessLevels(third)).toEqual(['texts', 'texts'])
    expect(await accessLevels(await run(chain, library.owner))).toEqual([404, 'texts'])
    expect((await send('DELETE', url, runner)).status).toBe(204)
    expect(await accessLevels(first)).toEqual([404, 'presence'])
  })

  test('names what system prompts and turns take in, and covers no run with it that it does not name', async () => {
    const texts = {
      content: 'Write.',
      systemPrompt: 'For $<client>',
      messages: [{ role: 'user', content: '$<code>' }],
    }
    const chain = await build([], {})
    await library.createStep(library.owner, chain.id, { ...texts, outputVariableName: 'a' })
    const prompt = await library.createPrompt(library.owner, { ...texts, isPublic: true })
    const url = `/api/chains/${chain.id}/run-share`
    for (const of of [url, `/api/prompts/${prompt.id}/run-share`])
      expect((await send('GET', of, runner)).body).toMatchObject({ privateNames: ['client', 'code'] })
    await send('PUT', url, runner, { names: ['client'] })
    const id = await run(chain)
    expect(await accessLevels(id)).toEqual([404, 'presence'])
    await send('PUT', url, runner, { names: ['client', 'code'] })
    expect(await accessLevels(id)).toEqual(['texts', 'texts'])
  })

  test('covers no run of which it is not known what it used', async () => {
    const chain = await build()
    const id = await run(chain)
    await send('PUT', `/api/chains/${chain.id}/run-share`, runner, { names: ['client'] })
    expect(await accessLevels(id)).toEqual(['texts', 'texts'])
    await library.db.execute(sql`update execution_steps set resolved = null where execution_id = ${id}`)
    expect(await accessLevels(id)).toEqual([404, 'presence'])
    await library.db.execute(sql`update executions set private_values = null where id = ${id}`)
    expect(await accessLevels(id)).toEqual([404, 'presence'])
  })

  test('taking it back ends the streams that it opened', async () => {
    const chain = await build(['Plain'])
    const url = `/api/chains/${chain.id}/run-share`
    await send('PUT', url, runner, { names: ['client'] })
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id, {}, runner)
    const watcher = new Watcher(`${library.address}/api/executions/${id}/events`, viewer)
    await expect.poll(() => watcher.events.length).toBeGreaterThan(0)
    await send('DELETE', url, runner)
    await watcher.done
    expect(watcher.events.map(({ event }) => event)).not.toContain('end')
    expect(JSON.stringify(watcher.events)).not.toMatch(/stuck|Zebra/)
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: runner })
  })

  test('runs of a prompt, with everyone who sees the prompt', async () => {
    const prompt = await library.createPrompt(library.owner, { content: 'Dear $<client>', isPublic: true })
    const body = { promptId: prompt.id, model: 'openai' }
    const reply = await sendAsForm(library, { method: 'POST', url: '/api/execute-prompt', body, as: runner })
    const { executionId: id } = reply.body as ExecutePromptReply
    const history = `/api/prompts/${prompt.id}/executions`
    expect((await send('GET', history, viewer)).body).toEqual([])
    await send('PUT', `/api/prompts/${prompt.id}/run-share`, runner, { names: ['client'] })
    const [shared] = (await send('GET', history, viewer)).body as ListedPromptRun[]
    expect(shared).toMatchObject({ id, sight: 'texts', sharing: 'all', executedBy: 'Vera' })
    expect((await send('GET', `${history}/${id}`, viewer)).text).toContain(SECRET)
    await send('DELETE', `/api/prompts/${prompt.id}/run-share`, runner)
    expect((await send('GET', history, viewer)).body).toEqual([])
    expect((await send('GET', `${history}/${id}`, viewer)).status).toBe(404)
  })

  test('is set by the runner only, and shown to nobody else', async () => {
    const chain = await build()
    const id = await run(chain)
    const share = `/api/executions/${id}/share`
    const all = `/api/chains/${chain.id}/run-share`
    const verdicts: Record<string, number[]> = {}
    for (const [who, as] of Object.entries(people)) {
      if (who === 'runner') continue
      verdicts[who] = [
        (await send('PUT', share, as)).status,
        (await send('DELETE', share, as)).status,
        (await send('GET', all, as)).status,
        (await send('PUT', all, as, { names: ['client', 'code'] })).status,
      ]
    }
    expect(verdicts).toEqual({
      ...{ guest: [401, 401, 401, 401], disabled: [401, 401, 401, 401] },
      ...{ other: [404, 404, 404, 404], viewer: [404, 404, 200, 200] },
      ...{ editor: [403, 403, 200, 200], owner: [403, 403, 200, 200], admin: [403, 403, 404, 404] },
    })
    expect(await accessLevels(id)).toEqual([404, 'presence'])
    const seen = (await send('GET', all, runner)).body as RunShare
    expect([seen.isShared, (await send('GET', all, viewer)).body]).toMatchObject([
      false,
      { privateNames: [] },
    ])
    expect((await send('PUT', all, runner, { names: ['no name'] })).status).toBe(400)
  })

  test('is taken back also where the chain is lost', async () => {
    const chain = await build()
    const id = await run(chain)
    await send('PUT', `/api/executions/${id}/share`, runner)
    const body = [{ username: 'Viktor', role: 'viewer' }]
    await send('PUT', `/api/chains/${chain.id}/shares`, library.owner, body)
    expect([await accessFor(id, viewer), await accessFor(id, runner)]).toEqual(['texts', 404])
    expect((await send('DELETE', `/api/executions/${id}/share`, runner)).status).toBe(204)
    expect((await send('DELETE', `/api/chains/${chain.id}/run-share`, runner)).status).toBe(204)
    expect(await accessFor(id, viewer)).toBe(404)
  })
})
