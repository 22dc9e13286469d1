import type { Chain, ChainRunSummary, RunDetails, RunState, StartedRun } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeStepAsk } from '../../../testing/asks.ts'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'

const THREE = ['First {{input}}', 'Second {{a}}', 'Third {{a}} {{b}} {{input}}']
const REPLIES = [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }]

describe.each(routeDatabaseKinds)('a run from a step, on %s', (kind) => {
  let library: Gateway
  let share: SharedChains['share']
  let run: SharedChains['run']
  let viewer: TestUser
  let editor: TestUser
  beforeAll(async () => {
    library = await startGateway(kind)
    ;({ share, run, viewer, editor } = await startSharingChains(library))
    await library.createVariable(viewer, { name: 'client', content: 'Lovelace' })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  interface From {
    executionId: number
    position: number
  }
  interface Posting {
    as?: TestUser
    [field: string]: unknown
  }
  const post = (chain: Chain, from: From, { as = library.owner, ...body }: Posting = {}) =>
    library.request({
      ...{ method: 'POST' as const, url: `/api/chains/${chain.id}/execute`, as },
      body: { from, ...body },
    })
  const begin = async (...call: Parameters<typeof post>): Promise<RunDetails> => {
    const reply = await post(...call)
    expect(reply.status, reply.text).toBe(201)
    return library.ended((reply.body as StartedRun).id, call[2]?.as)
  }
  const spentOn = async (chain: Chain) => {
    const found = await library.db.execute<{ calls: number }>(
      sql`select count(*)::integer as calls from usage_calls where chain_id = ${chain.id} and model is not null`,
    )
    return found.rows[0]?.calls
  }
  const change = (chain: Chain, index: number, body: object) =>
    library.request({
      ...{ method: 'PATCH' as const, as: library.owner, body },
      url: `/api/chains/${chain.id}/steps/${chain.steps[index]?.id}`,
    })

  test('A run from a step takes over what an earlier run has of the steps before, at no cost, with its input and values, and begins there.', async () => {
    const chain = await library.buildChain([...THREE.slice(0, 2), 'Third {{a}} {{b}} {{input}} $<word>'])
    library.fake.reply(...REPLIES)
    const id = await run(chain, library.owner, { input: 'A mail', variableValues: { word: 'so' } })
    library.fake.reset()
    library.fake.reply({ text: 'Other' })
    const before = await spentOn(chain)
    const again = await begin(chain, { executionId: id, position: 2 })
    expect(library.sent()).toEqual(['Third One Two A mail so'])
    expect(again).toMatchObject({
      ...{ status: 'completed', output: 'Other', input: 'A mail', stepCount: 3, completedSteps: 3 },
      from: { executionId: id, position: 2, chainVersion: chain.version },
      steps: [
        { takenFrom: id, status: 'completed', inputContent: 'First A mail', aiResponse: 'One', costUsd: 0 },
        { takenFrom: id, status: 'completed', inputTokens: 0, modelId: null, outputVariableValue: 'Two' },
        { status: 'completed', aiResponse: 'Other' },
      ],
    })
    expect(again.steps[2]).not.toHaveProperty('takenFrom')
    expect(again.costUsd).toBe(again.steps[2]?.costUsd)
    expect(await spentOn(chain)).toBe((before ?? 0) + 1)
    const list = await library.request({ url: `/api/chains/${chain.id}/executions`, as: library.owner })
    const [newest, oldest] = list.body as ChainRunSummary[]
    expect([newest?.from, oldest?.from]).toEqual([again.from, undefined])
    const typed = await begin(
      chain,
      { executionId: again.id, position: 2 },
      { variableValues: { word: 'no' } },
    )
    expect(typed).toMatchObject({ from: { executionId: again.id }, steps: [{ takenFrom: again.id }, {}, {}] })
    expect(library.sent().at(-1)).toBe('Third One Two A mail no')
    await begin(chain, { executionId: id, position: 0 })
    expect(library.sent().at(-3)).toBe('First A mail')
  })

  test('It resumes as any run does, without what it took over.', async () => {
    const chain = await library.buildChain(THREE)
    library.fake.reply(...REPLIES)
    const id = await run(chain, library.owner, { input: 'A mail' })
    library.fake.reset()
    library.fake.reply({ status: 400, message: 'no' })
    const failed = await begin(chain, { executionId: id, position: 1 })
    expect(failed).toMatchObject({ status: 'failed', canResume: true })
    library.fake.reset()
    library.fake.reply({ text: 'Zwei' }, { text: 'Drei' })
    const url = `/api/executions/${failed.id}/resume`
    expect((await library.request({ method: 'POST', url, as: library.owner })).status).toBe(200)
    expect(await library.ended(failed.id)).toMatchObject({
      ...{ status: 'completed', output: 'Drei', from: { executionId: id, position: 1 } },
      steps: [{ takenFrom: id, aiResponse: 'One' }, { aiResponse: 'Zwei' }, {}],
    })
    expect(library.sent()).toEqual(['Second One', 'Third One Zwei A mail'])
  })

  test('Outputs are found by their names in the chain as it is now; a name that the steps need and the run does not have is 409 `outputs_missing`.', async () => {
    const chain = await library.buildChain(THREE)
    library.fake.reply(...REPLIES)
    const id = await run(chain, library.owner, { input: 'A mail' })
    const { id: late } = await library.createStep(library.owner, chain.id, {
      ...{ position: 0, outputVariableName: 'late', content: 'Late' },
    })
    library.fake.reset()
    library.fake.reply({ text: 'Other' })
    const again = await begin(chain, { executionId: id, position: 3 })
    expect(library.sent()).toEqual(['Third One Two A mail'])
    expect(again.steps).toMatchObject([
      { aiResponse: 'One' },
      { id: late, status: 'skipped', skipReason: expect.stringContaining('no such step'), aiResponse: '' },
      { aiResponse: 'Two' },
      { aiResponse: 'Other' },
    ])
    expect((await change(chain, 2, { content: 'Third {{late}} {{b}}' })).status).toBe(200)
    const refused = await post(chain, { executionId: id, position: 3 })
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'outputs_missing', details: [{ name: 'late' }] },
    ])
    expect((await change(chain, 1, { outputVariableName: 'other' })).status).toBe(200)
    expect((await post(chain, { executionId: id, position: 3 })).body).toMatchObject({
      details: [{ name: 'late' }],
    })
  })

  test('It begins only behind steps that ended, of a run of this chain that has ended and whose texts are kept.', async () => {
    const chain = await library.buildChain(THREE)
    library.fake.reply({ text: 'One' }, { status: 400, message: 'no' })
    const failed = await run(chain, library.owner, { input: 'A mail' })
    const at = (position: number, executionId = failed) => post(chain, { executionId, position })
    expect([(await at(2)).status, (await at(2)).text]).toEqual([
      409,
      expect.stringContaining(`Step 2 did not complete in run ${failed}`),
    ])
    expect((await at(3)).status).toBe(400)
    expect((await at(1, 2_000_000_000)).status).toBe(404)
    expect((await post(chain, { executionId: failed, position: 1 }, { input: 'Other' })).status).toBe(400)
    const another = await library.buildChain(['One'])
    expect((await post(another, { executionId: failed, position: 0 })).status).toBe(400)
    await library.db.execute(
      sql`update executions set status = 'running', lease_until = now() + interval '1 hour' where id = ${failed}`,
    )
    expect((await at(1)).text).toContain('still running')
    await library.db.execute(
      sql`update executions set status = 'failed', texts_deleted = true where id = ${failed}`,
    )
    expect((await at(1)).text).toContain('no longer kept')
    expect(library.fake.journal).toHaveLength(2)
  })

  test('Behind a step that ended the run nothing can be begun: those after it had no turn.', async () => {
    const ends = { kind: 'stop', content: '', stop: { outcome: 'completed', text: 'Enough' } }
    const chain = await library.buildChain(['First', ends, 'Third', 'Fourth {{c}}'])
    library.fake.reply({ text: 'One' })
    const id = await run(chain, library.owner)
    const reply = await post(chain, { executionId: id, position: 3 })
    expect([reply.status, reply.text]).toEqual([409, expect.stringContaining('Step 3 did not complete')])
  })

  test('A skipped step is taken over as skipped, an answer of a person as any other output; an ask without an answer is not.', async () => {
    const chain = await share([
      { content: 'First', onlyIf: { all: [{ ref: 'input', op: 'is', value: 'x' }] }, default: 'None' },
      { kind: 'ask', content: '', ask: makeStepAsk({ people: ['Edda'], text: 'Send {{a}}?' }) },
      'Third {{a}} {{b.decision}}',
    ])
    const id = await library.execute(chain.id, {})
    const ask = await vi.waitFor(async () => {
      const { waitingFor } = (await library.status(id)) as RunState
      expect(waitingFor).toBeDefined()
      return waitingFor?.askId
    })
    expect((await post(chain, { executionId: id, position: 2 })).text).toContain('still running')
    const answer = { method: 'POST' as const, url: `/api/asks/${ask}/answer`, body: { decision: 'approve' } }
    expect((await library.request({ ...answer, as: editor })).status).toBe(200)
    library.fake.reply({ text: 'Done' })
    await library.ended(id)
    library.fake.reset()
    library.fake.reply({ text: 'Again' })
    const again = await begin(chain, { executionId: id, position: 2 })
    expect(library.sent()).toEqual(['Third None approve'])
    expect(again.steps).toMatchObject([
      { status: 'skipped', aiResponse: 'None' },
      { status: 'completed' },
      {},
    ])
    const twice = await begin(chain, { executionId: again.id, position: 2 })
    expect(twice.steps).toMatchObject([{ status: 'skipped' }, { status: 'completed' }, {}])
  })

  test('A run that took over private values is as private as the earlier one, and what it took over counts as taken in (D89).', async () => {
    const chain = await share([
      'Write to $<client>.',
      'Again {{a}}',
      { kind: 'ask', content: '', ask: makeStepAsk({ people: ['Edda'], text: '{{b}}' }) },
    ])
    const sends = (
      (await library.request({ url: `/api/chains/${chain.id}/sends`, as: viewer })).body as {
        destination: string
      }[]
    ).map(({ destination }) => destination)
    const fills = ['client']
    library.fake.reply({ text: 'To Lovelace' }, { status: 400, message: 'no' })
    const id = await run(chain, viewer, { fills, sends })
    const refused = await post(chain, { executionId: id, position: 1 }, { as: viewer })
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'value_would_leave' }])
    library.fake.reply({ text: 'Lovelace again' })
    const reply = await post(chain, { executionId: id, position: 1 }, { as: viewer, sends })
    expect(reply.status, reply.text).toBe(201)
    const started = (reply.body as StartedRun).id
    expect(await library.find(started, editor)).toMatchObject({ sight: 'presence', from: null, steps: null })
    const presence = await post(chain, { executionId: started, position: 1 }, { as: editor })
    expect([presence.status, presence.text]).toEqual([403, expect.not.stringContaining('Lovelace')])
    expect((await post(chain, { executionId: id, position: 1 }, { as: library.owner })).status).toBe(403)
    expect((await post(chain, { executionId: id, position: 1 }, { as: library.other })).status).toBe(404)
    await vi.waitFor(async () => {
      expect(((await library.status(started, viewer)) as RunState).waitingFor).toBeDefined()
    })
  })

  test('What a step took in that the chain has no more counts as taken in, until whom it asks changes too (D89).', async () => {
    const ask = makeStepAsk({ role: 'viewer', text: '{{c}}' })
    const chain = await share([
      ...['Write to $<client>.', 'Again {{a}}', 'Third {{b}}'],
      { kind: 'ask', content: '', ask },
    ])
    const url = `/api/chains/${chain.id}/sends`
    const sendsOf = async (query = '', as = viewer) => (await library.request({ url: url + query, as })).body
    const [{ destination }] = (await sendsOf()) as [{ destination: string }]
    const [sends, fills] = [[destination], ['client']]
    library.fake.reply({ text: 'To Lovelace' }, { text: 'Lovelace again' }, { status: 400, message: 'no' })
    const id = await run(chain, viewer, { fills, sends })
    const gone = `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`
    expect((await library.request({ method: 'DELETE', url: gone, as: editor })).status).toBe(204)

    const from = { executionId: id, position: 1 }
    const refused = await post(chain, from, { as: viewer })
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'value_would_leave' }])
    expect(await sendsOf()).toEqual([])
    expect(await sendsOf(`?executionId=${id}`)).toMatchObject([{ destination, position: 2 }])
    expect(await sendsOf(`?executionId=${id}`, library.owner)).toHaveProperty('error')
    library.fake.reply({ status: 400, message: 'no' })
    const failed = await begin(chain, from, { as: viewer, sends })
    const body = [
      { username: 'Vera', role: 'viewer' },
      { username: 'Edda', role: 'editor' },
      { username: library.other.user.username, role: 'viewer' },
    ]
    const shares = `/api/chains/${chain.id}/shares`
    expect((await library.request({ method: 'PUT', url: shares, body, as: library.owner })).status).toBe(200)
    library.fake.reply({ text: 'Third' })
    const resume = { method: 'POST' as const, url: `/api/executions/${failed.id}/resume` }
    expect((await library.request({ ...resume, as: viewer })).status).toBe(200)
    expect(await library.ended(failed.id, viewer)).toMatchObject({
      errorCode: 'value_would_leave',
      wouldLeave: [expect.stringMatching(/^ask: viewer#/)],
    })
    // No row of it names the value, so a yes to all runs with that name is none to this one.
    const names = { method: 'PUT' as const, url: `/api/chains/${chain.id}/run-share`, body: { names: fills } }
    expect((await library.request({ ...names, as: viewer })).status).toBeLessThan(300)
    expect((await library.find(id, library.owner)).sight).toBe('texts')
    expect((await library.find(failed.id, library.owner)).sight).toBe('presence')
  })

  test('What a person made of another’s shared private run stays theirs, whatever names they share all their runs with.', async () => {
    const chain = await share(['Write to $<client>.', 'Again {{a}}'])
    await library.createVariable(editor, { name: 'client', content: 'Byron' })
    library.fake.reply({ text: 'To Lovelace' }, { text: 'Lovelace again' })
    const id = await run(chain, viewer, { fills: ['client'] })
    expect((await post(chain, { executionId: id, position: 1 }, { as: editor })).status).toBe(403)
    const url = `/api/executions/${id}/share`
    expect((await library.request({ method: 'PUT', url, as: viewer })).status).toBeLessThan(300)
    const all = {
      method: 'PUT' as const,
      url: `/api/chains/${chain.id}/run-share`,
      body: { names: ['client'] },
    }
    expect((await library.request({ ...all, as: editor })).status).toBeLessThan(300)
    library.fake.reply({ text: 'Lovelace once more' })
    const made = await begin(chain, { executionId: id, position: 1 }, { as: editor })
    expect(made).toMatchObject({ usesPrivateValues: true, steps: [{ aiResponse: 'To Lovelace' }, {}] })
    expect((await library.find(made.id, library.owner)).sight).toBe('presence')
    library.fake.reply({ text: 'To Byron' }, { text: 'x' })
    const own = await run(chain, editor, { fills: ['client'] })
    expect((await library.find(own, library.owner)).sight).toBe('texts')
  })

  test('A prompt that they don’t see stays hidden in what they take over from another’s run.', async () => {
    const prompt = await library.createPrompt(library.owner, { content: 'A secret recipe', title: 'Recipe' })
    const chain = await share([{ promptId: prompt.id, content: '' }, 'Again {{a}}'])
    library.fake.reply({ text: 'Soup' }, { text: 'x' })
    const id = await run(chain, library.owner)
    library.fake.reply({ text: 'More soup' })
    const made = await begin(chain, { executionId: id, position: 1 }, { as: editor })
    expect(library.sent().at(-1)).toBe('Again Soup')
    const [first] = made.steps
    expect(first).toMatchObject({ aiResponse: 'Soup', inputContent: null, title: '' })
  })

  test('One call with an `Idempotency-Key` starts one run, also from a step.', async () => {
    const chain = await library.buildChain(THREE)
    library.fake.reply(...REPLIES)
    const id = await run(chain, library.owner, { input: 'A mail' })
    const call = (position: number) =>
      library.request({
        ...{ method: 'POST' as const, url: `/api/chains/${chain.id}/execute`, as: library.owner },
        body: { from: { executionId: id, position } },
        headers: { 'idempotency-key': `from-${kind}-${id}` },
      })
    const [first, same, other] = [await call(2), await call(2), await call(1)]
    expect(same.body).toEqual(first.body)
    expect(other.status).toBe(422)
  })
})
