import type { ServerResponse } from 'node:http'
import type { Ask, Chain, RunDetails } from '@catenary/contracts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runs } from '../../../../../database/schema/index.ts'
import { type SharedChains, startSharingChains } from '../../../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../../../testing/database.ts'
import { type FakeService, startFakeService, toolStep } from '../../../../../testing/fake-service.ts'
import { type Gateway, startGateway } from '../../../../../testing/gateway.ts'
import type { TestUser } from '../../../../../testing/harness.ts'

const SCHEMA = {
  type: 'object',
  properties: { id: { type: 'number' } },
  required: ['id'],
  additionalProperties: true,
}
const hangUp = (reply: ServerResponse) => void reply.destroy()
const each = (fields: object = {}) => ({
  forEach: { list: 'input', as: 'item', max: 5, atOnce: 2, onFailure: 'stop', result: 'text', ...fields },
})

describe.each(routeDatabaseKinds)('a call of which nobody knows whether it happened, on %s', (kind) => {
  let service: FakeService
  let library: Gateway
  let share: SharedChains['share']
  let viewer: TestUser
  let editor: TestUser
  beforeAll(async () => {
    service = await startFakeService()
    library = await startGateway(kind, {}, { toolHosts: [service.host] })
    ;({ share, viewer, editor } = await startSharingChains(library))
  })
  afterAll(async () => {
    await library.close()
    await service.close()
  })
  beforeEach(() => {
    library.fake.reset()
    service.reset()
  })

  const call = (tool: object = {}, fields: object = {}) =>
    toolStep({ url: `${service.url}/orders`, ...tool }, fields)
  const waits = (id: number, as = viewer) =>
    vi.waitFor(async () => {
      const state = await library.status(id, as)
      return state.waitingFor ?? expect.fail('it does not wait')
    })
  /** A run whose first call breaks. */
  const start = async (chain: Pick<Chain, 'id'>, body: object = {}, as = viewer) => {
    service.answer(hangUp)
    const id = await library.execute(chain.id, body, as)
    return { id, waiting: await waits(id, as) }
  }
  const say = (id: number, body: object, as = viewer, position = 0) =>
    library.request({
      method: 'POST',
      url: `/api/executions/${id}/steps/${position}/unsure`,
      as,
      body,
    })
  const post = (id: number, way: string, as = viewer) =>
    library.request({ method: 'POST', url: `/api/executions/${id}/${way}`, as })
  const read = async (id: number, as = viewer) => {
    const { status, body } = await library.request({ url: `/api/asks/${id}`, as })
    return { reply: status, ...(body as Ask) }
  }
  const failure = ({ status, errorCode, error }: RunDetails) => ({ status, errorCode, error })

  test('A run waits for its runner where a call broke after it went out, and goes on with what they say.', async () => {
    const chain = await share([
      call({ answer: { as: 'json', schema: SCHEMA }, body: { type: 'text', content: 'for {{input}}' } }),
      'Order {{a.id}}',
    ])
    const { id, waiting } = await start(chain, { input: 'Eve' })
    expect(waiting).toMatchObject({ unsure: true, title: 'Call', people: ['Vera'] })
    const state = await library.status(id, viewer)
    expect([state.status, state.steps.map(({ status }) => status)]).toEqual([
      'running',
      ['unsure', 'waiting'],
    ])
    expect(await read(waiting.askId)).toMatchObject({
      ...{ status: 'open', question: 'Did the call of “Call” happen?', canAnswer: true, position: 0 },
      ...{ executionId: id, choices: [{ id: 'happened' }, { id: 'again' }], onDeadline: '' },
      ...{ text: expect.stringMatching(/^POST .*\/orders[\s\S]*for Eve$/), unsure: { item: null } },
    })
    const open = await library.request({ url: '/api/asks?status=open', as: viewer })
    expect((open.body as Ask[]).map((ask) => ask.id)).toContain(waiting.askId)

    const refused = await Promise.all(
      ['no', '{"id": "seven"}'].map((answer) => say(id, { happened: true, answer })),
    )
    expect(refused.map(({ status, body }) => [status, (body as { error: string }).error])).toEqual([
      [400, 'The answer is not JSON'],
      [400, expect.stringContaining('does not match its schema')],
    ])
    library.fake.reply({ text: 'Done' })
    const said = await say(id, { happened: true, answer: ' {"id": 7} ' })
    expect([said.status, said.body]).toMatchObject([
      200,
      { status: 'answered', decision: 'happened', by: 'Vera' },
    ])
    const run = await library.ended(id, viewer)
    expect(run).toMatchObject({ status: 'completed', output: 'Done' })
    expect(run.steps[0]).toMatchObject({ status: 'completed', outputVariableValue: '{"id": 7}', costUsd: 0 })
    expect(run.steps[0]?.inputContent).toContain('for Eve')
    expect(library.sent()).toEqual(['Order 7'])
    expect(service.calls).toHaveLength(1)
    const second = await say(id, { happened: false })
    expect([second.status, second.body]).toMatchObject([409, { details: { decision: 'happened' } }])
  })

  test('A call whose answer was cut off is asked about too.', async () => {
    const chain = await share([call()])
    service.answer((reply) => {
      reply.writeHead(200, { 'content-type': 'application/json', 'content-length': '9' })
      reply.write('{"id"', () => reply.destroy())
    })
    const id = await library.execute(chain.id, {}, viewer)
    expect(await waits(id)).toMatchObject({ unsure: true })
    await say(id, { happened: true })
    expect(await library.ended(id, viewer)).toMatchObject({ status: 'completed' })
    expect(service.calls).toHaveLength(1)
  })

  test('Without the answer the output is empty, as that of a step that was skipped.', async () => {
    const chain = await share([call({ answer: { as: 'json' } }), 'Order “{{a.id}}”'])
    const { id } = await start(chain)
    library.fake.reply({ text: 'Done' })
    expect((await say(id, { happened: true })).status).toBe(200)
    expect(await library.ended(id, viewer)).toMatchObject({ status: 'completed' })
    expect(library.sent()).toEqual(['Order “”'])
  })

  test('Its runner lets it be sent again, under the same key; where it breaks again, they are asked again.', async () => {
    const chain = await share([call()])
    const { id, waiting } = await start(chain)
    service.answer(hangUp)
    expect((await say(id, { happened: false })).status).toBe(200)
    await vi.waitFor(async () => expect((await waits(id)).askId).not.toBe(waiting.askId))
    expect((await say(id, { happened: false })).status).toBe(200)
    expect(await library.ended(id, viewer)).toMatchObject({ status: 'completed', output: '{"ok": true}' })
    expect(service.calls).toHaveLength(3)
    expect(new Set(service.keys()).size).toBe(1)
  })

  test('Nobody else is asked, sees it or answers, whatever their role: no editor, owner, administrator or token.', async () => {
    const chain = await share([call()])
    const { id, waiting } = await start(chain)
    for (const person of [editor, library.owner, library.admin]) {
      expect((await say(id, { happened: true }, person)).status).toBe(404)
      expect((await read(waiting.askId, person)).reply).toBe(404)
    }
    const { token } = await library.createToken(chain.id)
    const guest = await library.post(`/api/executions/${id}/steps/0/unsure`, token, { happened: true })
    expect(guest.status).toBe(401)
    const url = `/api/asks/${waiting.askId}/answer`
    const other = await library.request({ method: 'POST', url, as: viewer, body: { decision: 'again' } })
    expect(other.status).toBe(409)
    for (const [body, position] of [
      [{ happened: true, item: 0 }, 0],
      [{ happened: true }, 1],
    ] as const)
      expect((await say(id, body, viewer, position)).status).toBe(404)
    expect((await say(id, { happened: false, answer: 'x' })).status).toBe(400)
    expect((await waits(id)).askId).toBe(waiting.askId)
    expect((await say(id, { happened: true })).status).toBe(200)
  })

  test('What one says of a call counts once, however many say it at once.', async () => {
    const chain = await share([call()])
    const { id } = await start(chain)
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) => say(id, { happened: index % 2 === 0 })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 11 }, () => 409),
    ])
    const counted = replies.find(({ status }) => status === 200) as { body: Ask }
    const { decision } = counted.body
    await library.ended(id, viewer)
    expect(service.calls).toHaveLength(decision === 'again' ? 2 : 1)
  })

  test('Another worker that takes a run over asks its runner about a call that was under way.', async () => {
    const chain = await share([call()])
    let finish = () => {}
    service.answer((reply) => {
      finish = () => void reply.writeHead(200, { 'content-type': 'text/plain' }).end('late')
    })
    const id = await library.execute(chain.id, {}, viewer)
    await vi.waitFor(() => expect(service.calls).toHaveLength(1))
    await library.db
      .update(runs)
      .set({ attempt: sql`attempt + 1`, leaseUntil: new Date(Date.now() - 1_000) })
      .where(sql`id = ${id}`)
    await waits(id)
    finish()
    expect((await say(id, { happened: true, answer: 'late' })).status).toBe(200)
    expect(await library.ended(id, viewer)).toMatchObject({ status: 'completed', output: 'late' })
    expect(service.calls).toHaveLength(1)
  })

  test('Of a list the other items go on before the run waits, and each unsure item is answered by its own.', async () => {
    const chain = await share([call({ url: `${service.url}/orders/{{item}}` }, each()), 'Sum {{a}}'])
    service.answerByDefault(({ url }) => (url.endsWith('B') || url.endsWith('D') ? hangUp : { body: url }))
    const id = await library.execute(chain.id, { input: 'A\nB\nC\nD\nE' }, viewer)
    const first = await waits(id)
    const items = async () => (await library.find(id, viewer)).steps[0]?.items?.map(({ status }) => status)
    expect(await items()).toEqual(['completed', 'unsure', 'completed', 'unsure', 'completed'])
    expect(await read(first.askId)).toMatchObject({
      question: 'Did the call of “Call” for item 2 happen?',
      unsure: { item: 1 },
    })
    expect(service.calls).toHaveLength(5)
    expect((await say(id, { happened: true })).status).toBe(404)
    expect((await say(id, { happened: true, item: 1, answer: 'B happened' })).status).toBe(200)
    expect(await items()).toEqual(['completed', 'completed', 'completed', 'unsure', 'completed'])
    const second = await waits(id)
    expect(second.askId).not.toBe(first.askId)
    expect(service.calls).toHaveLength(5)
    library.fake.reply({ text: 'Done' })
    service.answerByDefault(({ url }) => ({ body: url }))
    expect((await say(id, { happened: false, item: 3 })).status).toBe(200)
    expect(await library.ended(id, viewer)).toMatchObject({ status: 'completed', output: 'Done' })
    expect(library.sent()[0]).toMatch(/A[\s\S]*B happened[\s\S]*C[\s\S]*\/orders\/D[\s\S]*E/)
    const ofD = service.calls.filter(({ url }) => url.endsWith('D'))
    expect(new Set(ofD.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect([service.calls.length, ofD.length]).toEqual([6, 2])
  })

  test('After 30 days without a word the run fails, whatever the step says of failures, and a resume asks again.', async () => {
    for (const fields of [{ ifItFails: 'go_on' }, each({ onFailure: 'leave_out' })]) {
      const chain = await share([call({}, fields)])
      const { id, waiting } = await start(chain, { input: 'A\nB' })
      const { deadline } = await read(waiting.askId)
      expect(Date.parse(deadline) - Date.parse(waiting.since)).toBe(30 * 86_400_000)
      await library.db.execute(
        sql`update jobs set next_at = now(), run_at = now() where queue = 'ask-deadlines'`,
      )
      await library.db.execute(sql`select pg_notify('catenary_jobs', '')`)
      const run = await library.ended(id, viewer)
      expect(failure(run)).toMatchObject({ status: 'failed', errorCode: 'tool_unsure' })
      expect(run.steps[0]).toMatchObject({ status: 'failed', errorCode: 'tool_unsure' })
      expect(await read(waiting.askId)).toMatchObject({ status: 'expired', decision: null, canAnswer: false })
      const made = service.calls.length
      expect((await post(id, 'resume')).status).toBe(200)
      await waits(id)
      expect(service.calls).toHaveLength(made)
      const item = 'forEach' in fields ? { item: 0 } : {}
      expect((await say(id, { happened: true, ...item })).status).toBe(200)
      expect(await library.ended(id, viewer)).toMatchObject({ status: 'completed' })
      expect(service.calls).toHaveLength(made)
      service.reset()
    }
  })

  test('Stop ends a run that waits for its runner; what was unsure is asked again by a resume.', async () => {
    const chain = await share([call()])
    const { id, waiting } = await start(chain)
    expect((await post(id, 'cancel')).status).toBe(200)
    expect(await library.ended(id, viewer)).toMatchObject({ status: 'cancelled' })
    expect(await read(waiting.askId)).toMatchObject({ status: 'withdrawn' })
    expect((await say(id, { happened: true })).status).toBe(409)
    expect((await post(id, 'resume')).status).toBe(200)
    const again = await waits(id)
    expect(again.askId).not.toBe(waiting.askId)
    expect((await say(id, { happened: false })).status).toBe(200)
    expect(await library.ended(id, viewer)).toMatchObject({ status: 'completed' })
    expect(service.calls).toHaveLength(2)
  })

  test('A run whose runner lost sight of its chain fails at once, as nobody is left to say it.', async () => {
    const chain = await share([call()])
    const { id } = await start(chain)
    const url = `/api/chains/${chain.id}/shares`
    await library.request({ method: 'PUT', url, as: library.owner, body: [] })
    const { errorCode: code, error } = runs
    const read = () => library.db.select({ code, error }).from(runs).where(eq(runs.id, id))
    const ofNobody = expect.stringContaining('Nobody was left')
    await vi.waitFor(async () => expect(await read()).toEqual([{ code: 'tool_unsure', error: ofNobody }]))
    expect(service.calls).toHaveLength(1)
  })

  test('A call to the compatible API is told that its run waits, and gets the answer when it asks again.', async () => {
    const { value, model } = await library.serve([call(), 'Send {{a}}.'])
    service.answer(hangUp)
    library.fake.reply({ text: 'Sent' })
    const body = { model, messages: [{ role: 'user', content: 'Dear Halden' }] }
    const reply = await library.post('/v1/chat/completions', value, body)
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { code: 'run_waiting' } }])
    const run = Number(reply.headers.get('x-catenary-execution'))
    expect((await say(run, { happened: true, answer: 'ok' }, library.owner)).status).toBe(200)
    const resume = { 'x-catenary-resume': `${run}` }
    const late = await library.post('/v1/chat/completions', value, body, resume)
    expect([late.status, await late.json()]).toMatchObject([
      200,
      { choices: [{ message: { content: 'Sent' } }] },
    ])
    expect(service.calls).toHaveLength(1)
  })
})
