import type { AskedSend, Chain, RunDetails, RunState, StepAsk } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeStepAsk } from '../../../testing/asks.ts'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'

const asking = (fields: Partial<StepAsk> = {}) => ({
  ...{ kind: 'ask', title: 'Approve', content: '' },
  ask: makeStepAsk({ people: ['Edda'], text: '{{a}}', ...fields }),
})

describe.each(routeDatabaseKinds)('asks of private runs, on %s', (kind) => {
  let library: Gateway
  let share: SharedChains['share']
  let viewer: TestUser
  let editor: TestUser
  beforeAll(async () => {
    library = await startGateway(kind)
    ;({ share, viewer, editor } = await startSharingChains(library))
    await library.createVariable(viewer, { name: 'secret', content: 'Lovelace' })
    await library.createVariable(library.owner, { name: 'own', content: 'Byron' })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const execute = (chain: Chain, body: object, as = viewer) =>
    library.request({ method: 'POST', url: `/api/chains/${chain.id}/execute`, as, body })
  const sendsOf = async (chain: Chain, as = viewer) =>
    (await library.request({ url: `/api/chains/${chain.id}/sends`, as })).body as AskedSend[]
  const waiting = (id: number, as = viewer) =>
    vi.waitFor(async () => {
      const state = (await library.status(id, as)) as RunState
      expect(state.waitingFor).toBeDefined()
      return state.waitingFor?.askId ?? 0
    })
  const fills = ['secret']

  test('A private value reaches nobody by an ask whom its runner did not confirm before the run.', async () => {
    const chain = await share(['Write to $<secret>.', asking()])
    const refused = await execute(chain, { fills })
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'value_would_leave' }])
    const [send] = await sendsOf(chain)
    expect(send).toMatchObject({ position: 1, title: 'Approve', people: ['Edda'], isConfirmed: false })
    expect(refused.body).toMatchObject({ details: [{ destination: send?.destination }] })
    expect(library.fake.journal).toEqual([])
    library.fake.reply({ text: 'Dear Lovelace' })
    const started = await execute(chain, { fills, sends: [send?.destination] })
    expect(started.status, started.text).toBe(201)
    const id = await waiting((started.body as { id: number }).id)
    const shown = await library.request({ url: `/api/asks/${id}`, as: editor })
    expect(shown.body).toMatchObject({ text: 'Dear Lovelace', canAnswer: true })
    expect(await sendsOf(chain)).toMatchObject([{ isConfirmed: true }])
  })

  test('Whom a step asks anew is another destination, which was not confirmed.', async () => {
    const chain = await share(['Write to $<secret>.', asking({ role: 'viewer' })])
    const [before] = await sendsOf(chain)
    expect(before).toMatchObject({ role: { role: 'viewer', count: 1 } })
    const body = [
      ...[
        { username: 'Vera', role: 'viewer' },
        { username: 'Edda', role: 'editor' },
      ],
      { username: library.other.user.username, role: 'viewer' },
    ]
    await library.request({ method: 'PUT', url: `/api/chains/${chain.id}/shares`, body, as: library.owner })
    const [after] = await sendsOf(chain)
    expect(after?.destination).not.toBe(before?.destination)
    expect(after?.destination).not.toContain(library.other.user.username)
    expect((await execute(chain, { fills, sends: [before?.destination] })).status).toBe(409)
  })

  test('An ask that comes before the private value needs no list, and others learn nothing of one that comes after.', async () => {
    const chain = await share([
      asking({ text: '{{input}}' }),
      'Write to $<secret>.',
      asking({ text: '{{b}}' }),
    ])
    const sends = await sendsOf(chain)
    expect(sends.map(({ position }) => position)).toEqual([2])
    library.fake.reply({ text: 'Dear Lovelace' })
    const started = await execute(chain, { fills, sends: sends.map(({ destination }) => destination) })
    const run = (started.body as { id: number }).id
    const first = await waiting(run)
    const url = `/api/asks/${first}/answer`
    await library.request({ method: 'POST', url, as: editor, body: { decision: 'approve' } })
    await vi.waitFor(async () => expect(await waiting(run)).not.toBe(first))
    for (const person of [library.owner, editor]) {
      const state = (await library.request({ url: `/api/executions/${run}/status`, as: person })).body
      expect(state).toMatchObject({ sight: 'presence', status: 'started', waitingFor: null, steps: null })
    }
    expect((await library.request({ url: `/api/asks/${first}`, as: library.owner })).status).toBe(404)
  })

  test('A run that nobody watched stops before such an ask, says where its values would have gone, and goes on once that is allowed.', async () => {
    const chain = await share(['Write to $<secret>.', asking()])
    const allowed = [{ kind: 'chain', id: chain.id, name: 'secret' }]
    const body = { includedChainIds: [chain.id], fills: allowed }
    const { token } = await library.createBestToken(body, viewer)
    library.fake.reply({ text: 'Dear Lovelace' })
    const call = { model: `chain-${chain.id}`, messages: [{ role: 'user', content: 'Go' }] }
    const reply = await library.post('/v1/chat/completions', token, call)
    expect(reply.status).toBe(400)
    const run = Number(reply.headers.get('x-catenary-execution'))
    const ended = (await library.find(run, viewer)) as RunDetails
    expect(ended).toMatchObject({ status: 'failed', errorCode: 'value_would_leave' })
    const [send] = await sendsOf(chain)
    expect(ended.wouldLeave).toEqual([send?.destination])
    const resumed = await library.request({
      ...{ method: 'POST', url: `/api/executions/${run}/resume`, as: viewer },
      body: { fills, sends: ended.wouldLeave },
    })
    expect(resumed.status, resumed.text).toBe(200)
    await waiting(run)
    expect(library.sent()).toEqual(['Write to Lovelace.'])
  })

  test.each([
    ['each item takes it in', { list: 'input', text: '{{item}} for $<secret>' }],
    ['its list is one', { list: 'secret', text: '{{item}}' }],
  ])('What a step goes through a list with is known to be private where %s.', async (_, { list, text }) => {
    const forEach = { list, as: 'item', max: 5, atOnce: 1, onFailure: 'stop', result: 'text' }
    const chain = await share([{ content: text, forEach }, asking()])
    const [send] = await sendsOf(chain)
    expect((await execute(chain, { fills, input: 'One' })).status).toBe(409)
    const allowed = [{ kind: 'chain', id: chain.id, name: 'secret' }]
    const { token } = await library.createBestToken({ includedChainIds: [chain.id], fills: allowed }, viewer)
    library.fake.reply({ text: 'Dear Lovelace' })
    const call = { model: `chain-${chain.id}`, messages: [{ role: 'user', content: 'One' }] }
    const reply = await library.post('/v1/chat/completions', token, call)
    expect(reply.status).toBe(400)
    const ended = await library.find(Number(reply.headers.get('x-catenary-execution')), viewer)
    expect(ended).toMatchObject({ errorCode: 'value_would_leave', wouldLeave: [send?.destination] })
  })

  test('No list is needed where the runner alone saved the chain.', async () => {
    const chain = await share(['Write to $<own>.', asking()])
    expect(await sendsOf(chain, library.owner)).toEqual([])
    library.fake.reply({ text: 'Dear Byron' })
    const started = await execute(chain, {}, library.owner)
    expect(started.status, started.text).toBe(201)
    await waiting((started.body as { id: number }).id, library.owner)
    const url = `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`
    await library.request({ method: 'PATCH', url, as: editor, body: { content: 'Write to $<own> now.' } })
    expect(await sendsOf(chain, library.owner)).toHaveLength(1)
  })
})
