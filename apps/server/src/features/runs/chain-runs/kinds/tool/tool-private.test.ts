import type { AskedSend, Chain, ChainStep, CreatedOwnToken, RunDetails } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeStepAsk } from '../../../../../testing/asks.ts'
import { type SharedChains, startSharingChains } from '../../../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../../../testing/database.ts'
import { type FakeService, startFakeService, toolStep } from '../../../../../testing/fake-service.ts'
import { type Gateway, startGateway } from '../../../../../testing/gateway.ts'
import type { TestUser } from '../../../../../testing/harness.ts'

const SECRET = 'Lovelace'
const fills = ['secret']
const NO_BODY = { type: 'none', content: '' }
const each = (list: string) => ({
  forEach: { list, as: 'item', max: 20, atOnce: 5, onFailure: 'stop', result: 'text' },
})

describe.each(routeDatabaseKinds)('private values and services, on %s', (kind) => {
  let shop: FakeService
  let thief: FakeService
  let library: Gateway
  let share: SharedChains['share']
  let viewer: TestUser
  let editor: TestUser
  beforeAll(async () => {
    shop = await startFakeService()
    thief = await startFakeService()
    library = await startGateway(kind, {}, { toolHosts: [shop.host, thief.host] })
    ;({ share, viewer, editor } = await startSharingChains(library))
    await library.createVariable(viewer, { name: 'secret', content: SECRET })
    await library.createVariable(library.owner, { name: 'own', content: 'Byron' })
  })
  afterAll(async () => {
    await library.close()
    await shop.close()
    await thief.close()
  })
  beforeEach(() => {
    library.fake.reset()
    shop.reset()
    thief.reset()
    library.fake.replyByDefault(() => ({ text: `Dear ${SECRET}` }))
  })

  const call = (tool: object = {}, fields: object = {}) =>
    toolStep(
      { url: `${shop.url}/mails`, body: { type: 'json', content: '{"text": {{a}}}' }, ...tool },
      fields,
    )
  const WRITES = 'Write to $<secret>.'
  const execute = (chain: Pick<Chain, 'id'>, body: object, as = viewer) =>
    library.request({ method: 'POST', url: `/api/chains/${chain.id}/execute`, as, body })
  const sendsOf = async (chain: Pick<Chain, 'id'>, as = viewer) =>
    (await library.request({ url: `/api/chains/${chain.id}/sends`, as })).body as AskedSend[]
  const destinationsOf = async (chain: Pick<Chain, 'id'>) =>
    (await sendsOf(chain)).map(({ destination }) => destination)
  const change = async (chain: Chain, position: number, body: object, as = editor) => {
    const url = `/api/chains/${chain.id}/steps/${chain.steps[position]?.id}`
    const reply = await library.request({ method: 'PATCH', url, as, body })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as ChainStep
  }
  /** A run that nobody watches, of whatever the chain is by now. */
  const callAs = async (chain: Chain, sends: readonly string[], input = 'Go') => {
    const allowed = [{ kind: 'chain', id: chain.id, name: 'secret' }]
    const kept = sends.map((destination) => ({ chainId: chain.id, destination }))
    const body = { includedChainIds: [chain.id], fills: allowed, sends: kept }
    const { token } = await library.createBestToken(body, viewer)
    const reply = await library.post('/v1/chat/completions', token, {
      model: `chain-${chain.id}`,
      messages: [{ role: 'user', content: input }],
    })
    const run = Number(reply.headers.get('x-catenary-execution'))
    return { status: reply.status, run: (await library.find(run, viewer)) as RunDetails }
  }
  const nothingLeft = () => expect([...shop.calls, ...thief.calls]).toEqual([])

  test('A private value reaches no service that its runner did not confirm, and reaches the one that they did.', async () => {
    const chain = await share([WRITES, call()])
    const refused = await execute(chain, { fills })
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'value_would_leave' }])
    const [send] = await sendsOf(chain)
    expect(send).toMatchObject({
      ...{ kind: 'http', position: 1, title: 'Call', method: 'POST', address: `${shop.url}/mails` },
      isConfirmed: false,
    })
    expect(refused.body).toMatchObject({ details: [{ destination: send?.destination }] })
    nothingLeft()
    const started = await execute(chain, { fills, sends: [send?.destination] })
    expect(started.status, started.text).toBe(201)
    await library.ended((started.body as { id: number }).id, viewer)
    expect(shop.calls).toMatchObject([{ url: '/mails', body: `{"text": "Dear ${SECRET}"}` }])
    expect(await sendsOf(chain)).toMatchObject([{ isConfirmed: true }])
  })

  const attacks: [string, object][] = [
    ['another host', { url: 'THIEF/mails' }],
    ['another path', { url: 'SHOP/mails/thief' }],
    ['a reference in the path', { url: 'SHOP/{{a}}' }],
    ['a reference in the query of the address', { url: 'SHOP/mails?x={{a}}' }],
    ['a value of the query', { query: [{ name: 'x', value: '{{a}}' }] }],
    ['a literal value of the query', { query: [{ name: 'for', value: 'thief' }] }],
    ['a header', { headers: [{ name: 'X-A', value: '{{a}}' }] }],
    ['a literal header', { headers: [{ name: 'X-For', value: 'thief.example.org' }] }],
    ['another method', { method: 'PUT' }],
  ]
  test.each(attacks)(
    'What an editor changes of a confirmed call is another destination: %s',
    async (_, tool) => {
      const chain = await share([WRITES, call()])
      const confirmed = await destinationsOf(chain)
      const first = await execute(chain, { fills, sends: confirmed })
      await library.ended((first.body as { id: number }).id, viewer)
      const text = JSON.stringify(tool).replace('THIEF', thief.url).replace('SHOP', shop.url)
      await change(chain, 1, { tool: call(JSON.parse(text) as object).tool })
      shop.reset()
      expect((await execute(chain, { fills, sends: confirmed })).status).toBe(409)
      const { status, run } = await callAs(chain, confirmed)
      expect([status, run.errorCode]).toEqual([400, 'value_would_leave'])
      expect(run.wouldLeave).toEqual(await destinationsOf(chain))
      nothingLeft()
    },
  )

  const spellings: [string, () => (string | object)[]][] = [
    ['its text', () => [WRITES, call()]],
    ['the value itself', () => [call({ body: { type: 'text', content: '$<secret>' } })]],
    ['the path of its own step', () => [call({ url: `${shop.url}/$<secret>`, body: NO_BODY })]],
    ['a form', () => [WRITES, call({ body: { type: 'form', content: 'a={{a}}' } })]],
    [
      'whether it is called at all',
      () => [
        WRITES,
        call({ body: NO_BODY }, { onlyIf: { all: [{ ref: 'a', op: 'contains', value: 'L' }] } }),
      ],
    ],
    [
      'a condition on the value',
      () => [call({ body: NO_BODY }, { onlyIf: { all: [{ ref: 'secret', op: 'contains', value: 'L' }] } })],
    ],
    ['how often it is called', () => [WRITES, call({ body: NO_BODY }, each('a'))]],
    ['a list of its items', () => [call({ url: `${shop.url}/{{item}}`, body: NO_BODY }, each('secret'))]],
    ['when it is called, with nothing of it', () => [WRITES, call({ body: NO_BODY })]],
    [
      'that a step before it was skipped',
      () => [
        { content: 'Hm', onlyIf: { all: [{ ref: 'secret', op: 'is', value: 'x' }] }, default: 'no' },
        call({ body: { type: 'json', content: '{"x": {{a}}}' } }),
      ],
    ],
    [
      'what a model makes of it, many steps on',
      () => [
        WRITES,
        'Turn round {{a}}',
        'And {{b}}',
        call({ body: { type: 'json', content: '{"x": {{c}}}' } }),
      ],
    ],
    ['a step that goes on when it fails', () => [WRITES, call({}, { ifItFails: 'go_on' }), 'End']],
  ]
  test.each(spellings)(
    'No run of somebody else’s chain spells a private value to a service by %s.',
    async (_, steps) => {
      const chain = await share(steps())
      expect((await execute(chain, { fills })).status).toBe(409)
      const { run } = await callAs(chain, [])
      expect(run).toMatchObject({ status: 'failed', errorCode: 'value_would_leave' })
      nothingLeft()
    },
  )

  test('A call before the private value goes out without it; one behind it, moved there later, does not.', async () => {
    const chain = await share([call({ body: { type: 'json', content: '{"x": {{input}}}' } }), WRITES])
    expect(await sendsOf(chain)).toEqual([])
    const first = await callAs(chain, [])
    expect(first.status).toBe(200)
    expect(shop.calls).toMatchObject([{ body: expect.stringContaining('Go') }])
    shop.reset()
    await change(chain, 0, { position: 5 })
    const { run } = await callAs(chain, [])
    expect(run).toMatchObject({ errorCode: 'value_would_leave' })
    nothingLeft()
  })

  test('What a service or an approver writes fills in nothing, and leads nowhere else.', async () => {
    const chain = await share([
      call({ body: { type: 'json', content: '{"x": {{input}}}' } }),
      {
        kind: 'ask',
        title: 'Approve',
        content: '',
        ask: makeStepAsk({ people: ['Edda'], text: '{{a}}', editable: true }),
      },
      call({ body: { type: 'json', content: '{"x": {{b.text}}}' } }),
      WRITES,
    ])
    const hostile = `$<secret> {{d}} ${thief.url}`
    shop.answer({ body: hostile })
    const started = await execute(chain, { fills, input: 'Hi' })
    expect(started.status, started.text).toBe(201)
    const { id } = started.body as { id: number }
    await expect.poll(async () => (await library.status(id, viewer)).waitingFor?.askId).toBeDefined()
    const askId = (await library.status(id, viewer)).waitingFor?.askId
    const answer = { decision: 'approve', text: hostile }
    await library.request({ method: 'POST', url: `/api/asks/${askId}/answer`, as: editor, body: answer })
    expect(await library.ended(id, viewer)).toMatchObject({ status: 'completed' })
    expect(shop.calls.map(({ body }) => body)).toEqual([
      '{"x": "Hi"}',
      JSON.stringify({ x: hostile }).replace(':', ': '),
    ])
    expect(thief.calls).toEqual([])
  })

  test('A duplicate of a chain asks again: that its steps are somebody else’s, its new owner has not seen.', async () => {
    const chain = await share([WRITES, call()])
    const url = `/api/chains/${chain.id}/duplicate`
    const copy = (await library.request({ method: 'POST', url, as: viewer })).body as Chain
    expect(await sendsOf(copy)).toHaveLength(1)
    expect((await execute(copy, { fills })).status).toBe(409)
    nothingLeft()
  })

  test('Nobody confirms in a chain that they wrote alone, and its private values go where it says.', async () => {
    const chain = await share(['Write to $<own>.', call()])
    expect(await sendsOf(chain, library.owner)).toEqual([])
    const started = await execute(chain, {}, library.owner)
    await library.ended((started.body as { id: number }).id, library.owner)
    expect(shop.calls).toHaveLength(1)
    await change(chain, 0, { content: 'Write to $<own> now.' })
    expect(await sendsOf(chain, library.owner)).toHaveLength(1)
    expect((await execute(chain, {}, library.owner)).status).toBe(409)
  })

  test('What a run with private values sent is read by its runner alone.', async () => {
    const chain = await share([WRITES, call()])
    const started = await execute(chain, { fills, sends: await destinationsOf(chain) })
    const { id } = started.body as { id: number }
    const run = await library.ended(id, viewer)
    expect(run.steps[1]?.inputContent).toContain(SECRET)
    for (const person of [library.owner, editor]) {
      const reply = await library.request({ url: `/api/executions/${id}`, as: person })
      expect(reply.text).not.toContain(SECRET)
      expect(reply.text).not.toContain('mails')
    }
  })

  test('A chain’s own address sends a private value where its token confirmed alone, and its calls say how deep they stand.', async () => {
    const chain = await share(['Write to $<club>.', call()])
    await library.createVariable(editor, { name: 'club', content: SECRET })
    const start = async (sends: readonly string[]) => {
      const allowed = [{ kind: 'chain', id: chain.id, name: 'club' }]
      const kept = sends.map((destination) => ({ chainId: chain.id, destination }))
      const body = { name: 'Shop', scopes: [`chain:${chain.id}`, 'hook'], fills: allowed, sends: kept }
      const made = await library.request({ method: 'POST', url: '/api/own-tokens', as: editor, body })
      const { token } = made.body as CreatedOwnToken
      const headers = { 'content-type': 'text/plain', 'x-catenary-depth': '1' }
      const reply = await fetch(`${library.address}/hooks/${token}`, { method: 'POST', body: 'Go', headers })
      expect([made.status, reply.status]).toEqual([201, 202])
      const { executionId } = (await reply.json()) as { executionId: number }
      return library.ended(executionId, editor)
    }
    expect(await start([])).toMatchObject({ status: 'failed', errorCode: 'value_would_leave' })
    nothingLeft()
    expect(await start((await sendsOf(chain, editor)).map(({ destination }) => destination))).toMatchObject({
      status: 'completed',
    })
    expect(shop.calls.map(({ headers }) => headers['x-catenary-depth'])).toEqual(['2'])
  })
})
