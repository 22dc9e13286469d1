import type { Ask, AskedSend, Chain, StepAsk } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeStepAsk } from '../../../testing/asks.ts'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type FakeService, startFakeService, toolStep } from '../../../testing/fake-service.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'

describe.each(routeDatabaseKinds)('what an ask lets out, on %s', (kind) => {
  let service: FakeService
  let library: Gateway
  let share: SharedChains['share']
  let viewer: TestUser
  let editor: TestUser
  beforeAll(async () => {
    service = await startFakeService()
    library = await startGateway(kind, {}, { toolHosts: [service.host] })
    ;({ share, viewer, editor } = await startSharingChains(library))
    await library.createVariable(viewer, { name: 'shop_key', content: 'sk_secret' })
  })
  afterAll(async () => {
    await library.close()
    await service.close()
  })
  beforeEach(() => {
    library.fake.reset()
    service.reset()
  })

  const asking = (fields: Partial<StepAsk> = {}) => ({
    kind: 'ask',
    title: 'Approve',
    content: '',
    ask: makeStepAsk({ people: ['Edda'], text: 'Send “{{a}}”?', editable: true, ...fields }),
  })
  const call = (tool: object = {}, fields: object = {}) =>
    toolStep({ url: `${service.url}/orders/{{a}}`, ...tool }, { title: 'Book it', ...fields })
  const waits = (id: number, after = 0) =>
    vi.waitFor(async () => {
      const askId = (await library.status(id, viewer)).waitingFor?.askId ?? 0
      expect(askId).toBeGreaterThan(after)
      return askId
    })
  const read = async (id: number, as = editor) =>
    (await library.request({ url: `/api/asks/${id}`, as })).body as Ask
  const answer = async (id: number, body: object = { decision: 'approve' }) => {
    const url = `/api/asks/${id}/answer`
    const reply = await library.request({ method: 'POST', url, as: editor, body })
    expect(reply.status, reply.text).toBe(200)
  }
  const start = async (chain: Chain) => {
    const asked = await library.request({ url: `/api/chains/${chain.id}/sends`, as: viewer })
    const sends = (asked.body as AskedSend[]).map(({ destination }) => destination)
    const body = { input: 'Hi', fills: ['shop_key'], sends }
    const run = await library.execute(chain.id, body, viewer)
    return { run, id: await waits(run) }
  }

  test('Where a call takes the output of an ask, its people see where it goes and what goes out, as far as it is known.', async () => {
    const chain = await share([
      'Draft {{input}}',
      asking(),
      'Shorten {{b.text}}',
      call({
        query: [{ name: 'by', value: '{{b.by}}' }],
        headers: [{ name: 'Authorization', value: 'Bearer $<shop_key>' }],
        body: { type: 'json', content: '{"of": "{{a}}", "text": {{b.text}}, "short": "{{c}} {{input}}"}' },
      }),
      call({ url: `${service.url}/notes`, body: { type: 'text', content: '{{a}}' } }),
      call(
        { url: `${service.url}/each/{{item}}` },
        { forEach: { list: 'b.text', as: 'item', max: 5, atOnce: 1, onFailure: 'stop', result: 'text' } },
      ),
    ])
    library.fake.reply({ text: 'O7' }, { text: 'Short' })
    const { run, id } = await start(chain)
    const { calls } = await read(id)
    expect(calls?.map(({ position, title }) => [position, title])).toEqual([
      [3, 'Book it'],
      [5, 'Book it'],
    ])
    expect(calls?.[0]?.text).toBe(
      [
        `POST ${service.url}/orders/O7?by={{b.by}}`,
        'Content-Type: application/json',
        'Authorization: Bearer $<shop_key>',
        '',
        '{"of": "O7", "text": "{{b.text}}", "short": "{{c}} Hi"}',
      ].join('\n'),
    )
    expect(calls?.[1]?.text).toBe(`POST ${service.url}/each/{{item}}`)
    expect(JSON.stringify(calls)).not.toContain('sk_secret')
    const listed = await library.request({ url: '/api/asks', as: editor })
    expect(listed.text).not.toContain('"calls"')
    await answer(id, { decision: 'approve', text: 'x\ny' })
    expect(await library.ended(run, viewer)).toMatchObject({ status: 'completed' })
    expect(service.calls.map(({ url }) => url)).toEqual([
      '/orders/O7?by=Edda',
      '/notes',
      '/each/x',
      '/each/y',
    ])
  })

  test('What was shown is sent, or it asks anew: a call that was changed before a resume, or is new there, goes to its people again.', async () => {
    const chain = await share([
      'Draft {{input}}',
      asking(),
      call({ body: { type: 'text', content: '{{b.text}}' } }),
    ])
    library.fake.reply({ text: 'O7' })
    service.answer({ status: 503 })
    const { run, id } = await start(chain)
    await answer(id)
    expect(await library.ended(run, viewer)).toMatchObject({ errorCode: 'tool_failed' })
    expect(service.calls).toHaveLength(1)
    const step = chain.steps[2]
    const url = `/api/chains/${chain.id}/steps/${step?.id}`
    const tool = { ...step?.tool, url: `${service.url}/elsewhere` }
    const changed = await library.request({ method: 'PATCH', url, as: library.owner, body: { tool } })
    expect(changed.status, changed.text).toBe(200)
    const resume = () => library.request({ method: 'POST', url: `/api/executions/${run}/resume`, as: viewer })
    expect((await resume()).status).toBe(200)
    const again = await waits(run, id)
    expect(service.calls).toHaveLength(1)
    expect(await read(again)).toMatchObject({
      ...{ question: 'Send this answer?', text: 'Send “O7”?', canAnswer: true },
      calls: [{ position: 2, text: expect.stringContaining('/elsewhere') }],
    })
    await answer(again, { decision: 'approve', text: 'Other' })
    const ended = await library.ended(run, viewer)
    expect(ended).toMatchObject({ status: 'completed' })
    expect(service.calls.map(({ url, body }) => [url, body])).toEqual([
      ['/orders/O7', 'Send “O7”?'],
      ['/elsewhere', 'Other'],
    ])
    expect(JSON.parse(ended.steps[1]?.outputVariableValue ?? '')).toMatchObject({ text: 'Other' })
  })

  test('Whoever is asked anew may say no, and nothing is sent.', async () => {
    const chain = await share([
      'Draft {{input}}',
      asking(),
      call({ body: { type: 'text', content: '{{b.text}}' } }),
    ])
    library.fake.reply({ text: 'O7' })
    const { run, id } = await start(chain)
    // As if what was shown then had been something else.
    await library.db.execute(sql`update asks set calls = '[]' where id = ${id}`)
    await answer(id)
    const again = await waits(run, id)
    await answer(again, { decision: 'reject' })
    expect(await library.ended(run, viewer)).toMatchObject({ status: 'failed', errorCode: 'ask_rejected' })
    expect(service.calls).toEqual([])
  })
})
