import type { Ask, Chain, ListedAsk, StepAsk } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeStepAsk } from '../../../testing/asks.ts'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'

const asking = (fields: Partial<StepAsk> = {}, step: object = {}) => ({
  ...{ kind: 'ask', title: 'Approve', content: '' },
  ask: makeStepAsk({ people: ['Edda'], ...fields }),
  ...step,
})

describe.each(routeDatabaseKinds)('a run that asks people, on %s', (kind) => {
  let library: Gateway
  let share: SharedChains['share']
  let viewer: TestUser
  let editor: TestUser
  beforeAll(async () => {
    library = await startGateway(kind)
    ;({ share, viewer, editor } = await startSharingChains(library))
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const waiting = (id: number, as = viewer): Promise<number> =>
    vi.waitFor(async () => {
      const { waitingFor } = await library.status(id, as)
      expect(waitingFor).toBeDefined()
      return waitingFor?.askId ?? 0
    })
  const start = async (chain: Chain, as = viewer, body: object = { input: 'Dear Halden' }) => {
    const run = await library.execute(chain.id, body, as)
    return { run, id: await waiting(run, as) }
  }
  const read = async (id: number, as: TestUser) => {
    const { status, body } = await library.request({ url: `/api/asks/${id}`, as })
    return { reply: status, ...(body as Ask) }
  }
  const answer = (id: number, as: TestUser, body: object = { decision: 'approve' }) =>
    library.request({ method: 'POST', url: `/api/asks/${id}/answer`, as, body })
  const list = async (as: TestUser, query = '') =>
    (await library.request({ url: `/api/asks${query}`, as })).body as ListedAsk[]
  const count = async (as: TestUser) => (await library.request({ url: '/api/asks/count', as })).body
  /** As if its time had come. */
  const comeDue = (queue: string) =>
    library.db
      .execute(sql`update jobs set next_at = now(), run_at = now() where queue = ${queue}`)
      .then(() => library.db.execute(sql`select pg_notify('catenary_jobs', '')`))

  test('A run that comes to a step of kind ask waits for one of its people, and goes on with their answer.', async () => {
    const chain = await share([
      'Write {{input}}.',
      asking({ text: 'Send “{{a}}”?' }),
      'Send {{b.text}} by {{b.by}}.',
    ])
    library.fake.reply({ text: 'Dear Sir' }, { text: 'Sent' })
    const { run, id } = await start(chain)
    const state = await library.status(run, viewer)
    expect(state).toMatchObject({
      status: 'running',
      waitingFor: { askId: id, title: 'Approve', people: ['Edda'] },
    })
    expect(state.steps.map(({ status }) => status)).toEqual(['completed', 'asking', 'waiting'])
    expect(await read(id, editor)).toMatchObject({
      ...{ executionId: run, chainId: chain.id, position: 1, question: 'Send this answer?' },
      ...{ text: 'Send “Dear Sir”?', runBy: 'Vera', canAnswer: true, decision: null, by: null, at: null },
      ...{ choices: makeStepAsk().choices, onDeadline: 'reject' },
    })
    expect((await list(editor, '?status=open')).map((ask) => ask.id)).toContain(id)
    expect(await read(id, viewer)).toMatchObject({ canAnswer: false })

    const reply = await answer(id, editor, { decision: 'approve', reason: 'Fine' })
    expect(reply.body).toMatchObject({ status: 'answered', decision: 'approve', by: 'Edda', reason: 'Fine' })
    const ended = await library.ended(run, viewer)
    expect(ended).toMatchObject({ status: 'completed', output: 'Sent', completedSteps: 3 })
    expect(library.sent()[1]).toBe('Send Send “Dear Sir”? by Edda.')
    expect(JSON.parse(ended.steps[1]?.outputVariableValue ?? '')).toEqual({
      ...{
        decision: 'approve',
        text: 'Send “Dear Sir”?',
        reason: 'Fine',
        by: 'Edda',
        at: expect.any(String),
      },
    })
    expect(ended.steps[1]).toMatchObject({ model: null, costUsd: 0, inputContent: 'Send “Dear Sir”?' })
    expect(ended.waitingFor).toBeUndefined()
  })

  test('A waiting run holds no lease that ends, no worker and no memory, and is claimed by nobody.', async () => {
    const chain = await share([asking()])
    const { run, id } = await start(chain)
    const { rows } = await library.db.execute(sql`
      select lease_until > now() + interval '100 years' as endless, ends_with_process, attempt from executions where id = ${run}`)
    expect(rows).toEqual([{ endless: true, ends_with_process: false, attempt: 1 }])
    const other = await library.startProcess()
    await other.close()
    expect(await waiting(run)).toBe(id)
    expect((await answer(id, editor)).status).toBe(200)
    expect(await library.ended(run, viewer)).toMatchObject({
      status: 'completed',
      steps: [{ status: 'completed' }],
    })
  })

  test('One answer counts: a second is refused with the first, however many come at once.', async () => {
    const chain = await share([asking({ people: ['Edda', 'Vera', 'Olga'] })])
    const { run, id } = await start(chain)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        answer(id, index % 2 ? viewer : editor, { decision: 'approve', reason: `${index}` }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const first = replies.find(({ status }) => status === 200)?.body as Ask
    const others = replies.filter(({ status }) => status === 409)
    expect(others).toHaveLength(39)
    for (const { body } of others)
      expect(body).toMatchObject({ details: { decision: 'approve', reason: first.reason, by: first.by } })
    const ended = await library.ended(run, viewer)
    expect(JSON.parse(ended.output ?? '')).toMatchObject({ reason: first.reason })
  })

  test('Nobody answers but whom the step names and who sees the chain, and not the runner where the step says so.', async () => {
    const chain = await share([asking({ people: ['Vera', 'Edda'], notTheRunner: true })])
    const { id } = await start(chain)
    expect((await answer(id, viewer)).status).toBe(403)
    expect((await answer(id, library.owner)).status).toBe(404)
    expect((await answer(id, library.other)).status).toBe(404)
    expect((await answer(id, library.admin)).status).toBe(404)
    const { token } = await library.createToken(chain.id)
    const guest = await library.post(`/api/asks/${id}/answer`, token, { decision: 'approve' })
    expect(guest.status).toBe(401)
    expect((await library.request({ url: `/api/asks/${id}/answer`, as: editor })).status).toBe(404)
    expect(await read(id, editor)).toMatchObject({ reply: 200, status: 'open' })
    expect((await answer(id, editor, { decision: 'maybe' })).status).toBe(400)
    expect((await answer(id, editor, { decision: 'approve', text: 'Other' })).status).toBe(400)
    expect((await answer(id, editor)).status).toBe(200)
  })

  test.each([
    ['owner', 'owner'],
    ['editor', 'editor'],
    ['viewer', 'viewer'],
  ] as const)('a step that asks by the role %s asks those who have it by a share', async (role, who) => {
    const chain = await share([asking({ people: [], role })])
    const { id } = await start(chain, library.owner)
    const people = { owner: library.owner, editor, viewer }
    for (const [name, person] of Object.entries(people)) {
      const { canAnswer = false } = await read(id, person)
      expect([name, canAnswer]).toEqual([name, name === who])
    }
    expect((await answer(id, people[who])).status).toBe(200)
  })

  test('Its text may be changed where the step lets them, and stands in the output as it was changed.', async () => {
    const chain = await share([asking({ editable: true }), 'Send {{a.text}}.'])
    library.fake.reply({ text: 'Sent' })
    const { run, id } = await start(chain)
    expect((await answer(id, editor, { decision: 'approve', text: 'Dear Ms Halden' })).status).toBe(200)
    await library.ended(run, viewer)
    expect(library.sent()).toEqual(['Send Dear Ms Halden.'])
    expect(await read(id, editor)).toMatchObject({ text: 'Dear Halden', givenText: 'Dear Ms Halden' })
  })

  test('A choice may end the run, as failed or as completed; a failed one can be resumed and asks anew.', async () => {
    const choices = [
      { id: 'no', label: 'No', ends: 'failed' as const },
      { id: 'done', label: 'Done', ends: 'completed' as const },
    ]
    const chain = await share([asking({ choices, onDeadline: 'no' }), 'Never'])
    const first = await start(chain)
    await answer(first.id, editor, { decision: 'no', reason: 'Too dear' })
    const failed = await library.ended(first.run, viewer)
    expect(failed).toMatchObject({
      status: 'failed',
      errorCode: 'ask_rejected',
      error: 'Edda chose “No”: Too dear',
    })
    const resumed = await library.request({
      method: 'POST',
      url: `/api/executions/${first.run}/resume`,
      as: viewer,
    })
    expect(resumed.status, resumed.text).toBe(200)
    const again = await waiting(first.run)
    expect(again).not.toBe(first.id)
    await answer(again, editor, { decision: 'done' })
    const done = await library.ended(first.run, viewer)
    expect(done).toMatchObject({
      status: 'completed',
      steps: [{ status: 'completed' }, { status: 'skipped' }],
    })
    expect(JSON.parse(done.output ?? '')).toMatchObject({ decision: 'done' })
    expect(library.fake.journal).toEqual([])
  })

  test('Stopping a run withdraws its ask.', async () => {
    const chain = await share([asking()])
    const { run, id } = await start(chain)
    await library.request({ method: 'POST', url: `/api/executions/${run}/cancel`, as: viewer })
    expect(await library.ended(run, viewer)).toMatchObject({ status: 'cancelled' })
    expect(await read(id, editor)).toMatchObject({ status: 'withdrawn', canAnswer: false })
    expect((await list(editor, '?status=withdrawn')).map((ask) => ask.id)).toContain(id)
    const late = await answer(id, editor)
    expect([late.status, late.body]).toMatchObject([
      409,
      { error: 'Its run was stopped, so it needs no answer' },
    ])
  })

  test('A deadline that passes ends the ask once, with the choice that the step names for it.', async () => {
    const chain = await share([asking({ onDeadline: 'approve' })])
    const { run, id } = await start(chain)
    await comeDue('ask-deadlines')
    expect(await library.ended(run, viewer)).toMatchObject({ status: 'completed' })
    const [newest] = await list(editor, '?status=expired')
    expect(newest).toMatchObject({ id, decision: 'approve', by: null })
    expect((await answer(id, editor)).status).toBe(409)
  })

  test('Once nobody is left who could answer, the choice for the deadline holds at once.', async () => {
    const chain = await share([asking({ onDeadline: 'approve' })])
    const first = await start(chain)
    const shares = { method: 'PUT', url: `/api/chains/${chain.id}/shares`, as: library.owner } as const
    await library.request({ ...shares, body: [{ username: 'Vera', role: 'viewer' }] })
    const ended = await library.ended(first.run, viewer)
    expect(JSON.parse(ended.output ?? '')).toMatchObject({
      reason: 'Nobody was left who could answer',
      by: '',
    })
    expect((await read(first.id, editor)).reply).toBe(404)
    const second = await library.execute(chain.id, {}, viewer)
    expect(await library.ended(second, viewer)).toMatchObject({ status: 'completed' })
  })

  test('A chain whose step asks nobody is refused before it runs, as it comes by an import.', async () => {
    const chain = await share([asking({ people: [] })])
    const reply = await library.request({
      ...{ method: 'POST', url: `/api/chains/${chain.id}/execute`, as: viewer },
    })
    expect([reply.status, reply.body]).toMatchObject([
      409,
      { error: 'Step 1 “Approve” asks nobody. Choose who may answer first.' },
    ])
  })

  test('A call to the compatible API is answered at once that its run waits, and gets the answer when it asks again.', async () => {
    const { chain, value, model } = await library.serve([
      asking({ people: [library.owner.user.username] }),
      'Send {{a.text}}.',
    ])
    library.fake.reply({ text: 'Sent' })
    const body = { model, messages: [{ role: 'user', content: 'Dear Halden' }] }
    const reply = await library.post('/v1/chat/completions', value, body)
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { code: 'run_waiting' } }])
    expect(reply.headers.get('x-should-retry')).toBe('false')
    const run = Number(reply.headers.get('x-catenary-execution'))
    const id = await waiting(run, library.owner)
    const resume = { 'x-catenary-resume': `${run}` }
    const early = await library.post('/v1/chat/completions', value, body, resume)
    expect([early.status, await early.json()]).toMatchObject([400, { error: { code: 'run_waiting' } }])
    expect((await answer(id, library.owner)).status).toBe(200)
    const late = await library.post('/v1/chat/completions', value, body, resume)
    expect([late.status, await late.json()]).toMatchObject([
      200,
      { choices: [{ message: { content: 'Sent' } }] },
    ])
    expect(chain.steps).toHaveLength(2)
  })

  test('counts what waits for a person, for them alone', async () => {
    const before = await Promise.all([editor, viewer, library.other].map(count))
    const chain = await share([asking()])
    await start(chain)
    const [first, second, third] = before as { count: number }[]
    expect(await Promise.all([editor, viewer, library.other].map(count))).toEqual([
      { count: (first?.count ?? 0) + 1 },
      second,
      third,
    ])
  })
})
