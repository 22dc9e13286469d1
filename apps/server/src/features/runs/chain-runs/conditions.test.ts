import type { Chain, RunDetails } from '@catenary/contracts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runs } from '../../../database/schema/index.ts'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import { OWN_TEXTS_ONLY } from '../../records/consent.ts'
import { startChainRun } from './start-run.ts'

const is = (ref: string, value: string) => ({ ref, op: 'is', value })
const only = (...all: object[]) => ({ onlyIf: { all } })
const TRIAGE = {
  content: 'Triage {{input}}.',
  outputVariableName: 'triage',
  output: {
    type: 'json',
    schema: {
      type: 'object',
      properties: { severity: { type: 'string' }, client: { type: ['string', 'null'] } },
      required: ['severity', 'client'],
      additionalProperties: false,
    },
  },
}
const answer = (severity: string, client: string | null = null) => ({
  text: JSON.stringify({ severity, client }),
})
const stop = (outcome: 'completed' | 'failed', text: string) => ({
  ...{ kind: 'stop', outputVariableName: '', content: '', title: 'End' },
  stop: { outcome, text },
})
const statesOf = ({ steps }: RunDetails) => steps.map(({ status }) => status)

describe.each(routeDatabaseKinds)('a chain that decides, on %s', (kind) => {
  let library: Gateway
  let share: SharedChains['share']
  let viewer: SharedChains['viewer']
  let editor: SharedChains['editor']
  beforeAll(async () => {
    library = await startGateway(kind)
    ;({ share, viewer, editor } = await startSharingChains(library))
    await library.createVariable(library.owner, { name: 'mood', content: 'calm' })
    await library.createVariable(viewer, { name: 'secret', content: 'Lovelace' })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const runOf = async (chain: Chain, input = 'A mail') =>
    library.ended(await library.execute(chain.id, { input }))
  const resume = async (id: number, as = library.owner) => {
    const reply = await library.request({ method: 'POST', url: `/api/executions/${id}/resume`, as })
    expect(reply.status, reply.text).toBe(200)
    return library.ended(id)
  }
  const change = (chain: Chain, index: number, body: object) =>
    library.request({
      method: 'PATCH',
      url: `/api/chains/${chain.id}/steps/${chain.steps[index]?.id}`,
      body,
      as: library.owner,
    })

  test('A step whose condition does not hold is skipped: it asks no model, costs nothing and says why, and the run goes on.', async () => {
    const chain = await library.buildChain([
      TRIAGE,
      { content: 'Escalate {{triage.client}}.', ...only(is('triage.severity', 'high')) },
      'Answer “{{b}}” for “{{triage.severity}}”.',
    ])
    library.fake.reply(answer('low', 'Halden'), { text: 'Dear Halden' })
    const run = await runOf(chain)
    expect(library.sent()).toEqual(['Triage A mail.', 'Answer “” for “low”.'])
    expect(run).toMatchObject({ status: 'completed', output: 'Dear Halden', completedSteps: 3 })
    expect(statesOf(run)).toEqual(['completed', 'skipped', 'completed'])
    expect(run.steps[1]).toMatchObject({
      ...{ skipReason: 'It runs only if triage.severity is high', error: null, errorCode: null },
      ...{ inputContent: null, aiResponse: '', outputVariableValue: '' },
      ...{ costUsd: 0, inputTokens: 0, outputTokens: 0 },
    })
    expect(run.costUsd).toBeGreaterThan(0)
    expect(run.steps[0]?.skipReason).toBeNull()

    library.fake.reset()
    library.fake.reply(answer('high', 'Halden'), { text: 'Done' }, { text: 'Dear Halden' })
    expect(statesOf(await runOf(chain))).toEqual(['completed', 'completed', 'completed'])
    expect(library.sent()[1]).toBe('Escalate Halden.')
  })

  test('A skipped step hands on its default, read by its schema, and the run ends with the output of the last step that had one.', async () => {
    const never = only(is('input', 'never'))
    const chain = await library.buildChain([
      'First',
      { ...TRIAGE, ...never, default: '{"severity": "low", "client": null}' },
      { content: 'High', ...only(is('triage.severity', 'high')) },
      { content: 'Client', ...only({ ref: 'triage.client', op: 'is_empty', not: true }) },
    ])
    library.fake.reply({ text: 'The first' })
    const run = await runOf(chain)
    expect(statesOf(run)).toEqual(['completed', 'skipped', 'skipped', 'skipped'])
    expect(run).toMatchObject({ status: 'completed', output: '{"severity": "low", "client": null}' })
    expect(run.steps[1]).toMatchObject({ outputVariableValue: '{"severity": "low", "client": null}' })

    const plain = await library.buildChain(['First', { content: 'Second', ...never }])
    library.fake.reply({ text: 'The first' })
    expect(await runOf(plain)).toMatchObject({ status: 'completed', output: 'The first' })
    const none = await library.buildChain([{ content: 'Only', ...never }])
    expect(await runOf(none)).toMatchObject({ status: 'completed', output: '', costUsd: 0 })
  })

  test.each([
    [{ op: 'is', value: 'spam' }, 'spam', 'mail'],
    [{ op: 'is', value: 'spam', not: true }, 'mail', 'spam'],
    [{ op: 'contains', value: 'pay' }, 'Please pay', 'Hello'],
    [{ op: 'is_one_of', value: ['spam', 'ad'] }, 'ad', 'mail'],
    [{ op: 'is_empty' }, '', 'x'],
    [{ op: 'matches', value: '^INV-\\d+$' }, 'INV-12', 'INV-x'],
    [{ op: '>', value: '12345678901234567890' }, '12345678901234567891', '12345678901234567890'],
    [{ op: '<', value: '0.3' }, '0.29999999999999999999', '0.30'],
  ])('a step runs where what it looks at %j', async (comparison, holds, fails) => {
    const chain = await library.buildChain([{ content: 'Go', ...only({ ref: 'input', ...comparison }) }])
    expect([statesOf(await runOf(chain, holds)), statesOf(await runOf(chain, fails))]).toEqual([
      ['completed'],
      ['skipped'],
    ])
  })

  test('conditions nest, and look at variables and outputs', async () => {
    const urgent = { any: [is('input', 'urgent'), is('mood', 'angry')] }
    const chain = await library.buildChain([
      'Say',
      { content: 'Act', onlyIf: { all: [is('a', 'yes'), urgent] } },
      {
        content: 'Rest',
        onlyIf: { any: [is('a', 'no'), { all: [is('mood', 'calm'), is('input', 'later')] }] },
      },
    ])
    for (const [said, input, states] of [
      ['yes', 'urgent', ['completed', 'completed', 'skipped']],
      ['yes', 'later', ['completed', 'skipped', 'completed']],
      ['no', 'urgent', ['completed', 'skipped', 'completed']],
    ] as const) {
      library.fake.reset()
      library.fake.reply({ text: said })
      expect(statesOf(await runOf(chain, input))).toEqual(states)
    }
  })

  test('A condition that can’t be read ends the run, which resumes once it or what it looks at is corrected.', async () => {
    const chain = await library.buildChain([
      'Count',
      { content: 'Many', ...only({ ref: 'a', op: '>', value: '10' }) },
    ])
    library.fake.reply({ text: 'a dozen' }, { text: 'So many' })
    const run = await runOf(chain)
    expect(run).toMatchObject({ status: 'failed', errorCode: 'condition_unreadable', canResume: true })
    expect(run.error).toBe('a is “a dozen”, which is not a number')
    expect(library.sent()).toEqual(['Count'])
    expect((await change(chain, 1, only(is('a', 'a dozen')))).status).toBe(200)
    expect(await resume(run.id)).toMatchObject({ status: 'completed', output: 'So many' })
    expect(library.sent()).toEqual(['Count', 'Many'])
  })

  test.each([
    ['nobody', 'nobody has no value: There is no variable with this name'],
    ['a.severity', 'a.severity is neither a variable nor an earlier output, nor a field of one'],
    ['nobody[0]', 'nobody[0] is neither a variable nor an earlier output, nor a field of one'],
  ])('a condition on %s, which is nothing, can’t be read', async (ref, error) => {
    const chain = await library.buildChain(['Say', { content: 'Act', ...only({ ref, op: 'is_empty' }) }])
    expect(await runOf(chain)).toMatchObject({ status: 'failed', errorCode: 'condition_unreadable', error })
  })

  test('a pattern that takes too long is unreadable', async () => {
    const slow = { ref: 'input', op: 'matches', value: '^(a+)+$' }
    const chain = await library.buildChain([{ content: 'Act', ...only(slow) }])
    expect(await runOf(chain, `${'a'.repeat(40)}!`)).toMatchObject({
      ...{ status: 'failed', errorCode: 'condition_unreadable' },
      error: expect.stringContaining('The pattern'),
    })
  })

  test('A step of kind stop ends the run as completed, with its text as the output, and the steps after it have no turn.', async () => {
    const chain = await library.buildChain([
      TRIAGE,
      {
        ...stop('completed', 'Nothing to do for {{triage.client}}.'),
        ...only(is('triage.severity', 'none')),
      },
      'Answer.',
    ])
    expect(chain.steps[1]).toMatchObject({ kind: 'stop', model: null, content: '', outputVariableName: '' })
    library.fake.reply(answer('none', 'Halden'))
    const run = await runOf(chain)
    expect(run).toMatchObject({ status: 'completed', output: 'Nothing to do for Halden.' })
    expect(run.result).toEqual({ output: 'Nothing to do for Halden.' })
    expect(statesOf(run)).toEqual(['completed', 'completed', 'skipped'])
    expect(run.steps[1]).toMatchObject({ model: null, inputContent: run.output, costUsd: 0 })
    expect(run.steps[2]).toMatchObject({ skipReason: 'The run ended before it', executedAt: null })
    expect(library.fake.journal).toHaveLength(1)

    library.fake.reset()
    library.fake.reply(answer('low'), { text: 'Dear client' })
    expect(await runOf(chain)).toMatchObject({ status: 'completed', output: 'Dear client' })
  })

  test('A step of kind stop ends the run as failed, with its text as the error.', async () => {
    const chain = await library.buildChain(['Say', stop('failed', 'Out of scope: {{input}}'), 'Never'])
    const run = await runOf(chain)
    const error = 'Out of scope: A mail'
    expect(run).toMatchObject({ status: 'failed', errorCode: 'stopped_by_step', error, output: null })
    expect(statesOf(run)).toEqual(['completed', 'failed', 'waiting'])
    const other = { method: 'POST', url: `/api/executions/${run.id}/resume`, as: library.owner } as const
    expect((await library.request({ ...other, body: { model: 'openai' } })).status).toBe(400)
    expect(await resume(run.id)).toMatchObject({ status: 'failed', error })
    await change(chain, 1, only(is('input', 'other')))
    expect(await resume(run.id)).toMatchObject({ status: 'completed', completedSteps: 3 })
    expect(library.sent()).toEqual(['Say', 'Never'])
  })

  test('Where a step is set to let the run go on, its failure skips it, and says why.', async () => {
    const chain = await library.buildChain([
      { content: 'Look up {{input}}', ifItFails: 'go_on', default: 'nothing found' },
      'Answer with {{a}}',
    ])
    library.fake.reply({ status: 400, message: 'no such thing' }, { text: 'Sorry' })
    const run = await runOf(chain)
    expect(run).toMatchObject({ status: 'completed', output: 'Sorry', error: null })
    expect(library.sent()[1]).toBe('Answer with nothing found')
    expect(statesOf(run)).toEqual(['skipped', 'completed'])
    expect(run.steps[0]).toMatchObject({
      ...{ errorCode: 'model_rejected', outputVariableValue: 'nothing found' },
      skipReason: expect.stringMatching(/^It failed: .*no such thing/),
    })
    const last = await library.buildChain(['First', { content: 'Second', ifItFails: 'go_on' }])
    library.fake.reset()
    library.fake.reply({ text: 'The first' }, { status: 400, message: 'no such thing' })
    expect(await runOf(last)).toMatchObject({ status: 'completed', output: 'The first' })
  })

  test('a stopped run does not go on', async () => {
    const chain = await library.buildChain([{ content: 'One', ifItFails: 'go_on' }, 'Two'])
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })
    expect(await library.ended(id)).toMatchObject({ status: 'cancelled' })
    expect(library.fake.journal).toHaveLength(1)
  })

  test('A private value that was not allowed is read by no condition, and nothing goes on without it (D69).', async () => {
    const reads = { ...only({ ref: 'secret', op: 'is_empty' }), ifItFails: 'go_on' }
    const ends = { ...stop('completed', 'So: $<secret>'), ifItFails: 'go_on' }
    for (const step of [{ content: 'Act', ...reads }, ends]) {
      const chain = await share(['Say', step, 'Go'])
      library.fake.reset()
      const refused = await library.request({
        ...{ method: 'POST', url: `/api/chains/${chain.id}/execute`, as: viewer },
        body: { fills: [] },
      })
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('private_values')])
      expect(refused.text).toContain('secret')
      const { user } = viewer
      const { id } = await startChainRun(library.app.ctx, {
        ...{ user, allowed: OWN_TEXTS_ONLY, chainId: chain.id, trigger: 'token' },
      })
      const run = await library.ended(id, viewer)
      expect(run).toMatchObject({ status: 'failed', errorCode: 'private_values' })
      expect(JSON.stringify(run)).not.toContain('Lovelace')
      expect(library.sent()).toEqual(['Say'])
    }
  })

  test('Of a run whose condition read a private value others see that it is there, and neither what was skipped nor why (D68).', async () => {
    for (const comparison of [
      { op: 'is', value: 'Somebody' },
      { op: '>', value: '3' },
    ]) {
      const chain = await share(['Say', { content: 'Act', ...only({ ref: 'secret', ...comparison }) }, 'Go'])
      const id = await library.execute(chain.id, { fills: ['secret'] }, viewer)
      expect(await library.ended(id, viewer)).toMatchObject({ sight: 'own', usesPrivateValues: true })
      for (const as of [editor, library.owner]) {
        const seen = await library.find(id, as)
        expect(seen).toMatchObject({ sight: 'presence', status: 'started', steps: null, error: null })
        for (const path of ['', '/status', '/steps/1', '/events']) {
          const { text } = await library.request({ url: `/api/executions/${id}${path}`, as })
          for (const word of ['skipped', 'Lovelace', 'It runs only']) expect(text, path).not.toContain(word)
        }
      }
    }
  })

  test('A run whose condition reads a private value of which nothing was known at its start is closed before the step asks.', async () => {
    const chain = await share(['Say', { content: 'Act', ...only(is('later', 'Lovelace')) }])
    const [first, last] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const said = (text: string, { promise }: typeof first) => ({ text, beforeAnyByte: () => promise })
    library.fake.reply(said('A', first), said('B', last))
    const id = await library.execute(chain.id, { fills: ['later'] }, viewer)
    await vi.waitFor(() => expect(library.sent()).toEqual(['Say']))
    const seen = async () => (await library.request({ url: `/api/executions/${id}/status`, as: editor })).text
    expect(await seen()).toContain('"sight":"figures"')
    await library.createVariable(viewer, { name: 'later', content: 'Lovelace' })
    first.resolve()
    await vi.waitFor(() => expect(library.sent()).toEqual(['Say', 'Act']))
    expect(await seen()).toContain('"status":"started"')
    last.resolve()
    expect(statesOf(await library.ended(id, viewer))).toEqual(['completed', 'completed'])
  })

  test('a skip outlives the process that decided on it', async () => {
    const chain = await library.buildChain([
      'One',
      { content: 'Two', ...only(is('a', 'B')), default: 'left out' },
      'Three {{b}}',
    ])
    library.fake.reply({ text: 'A' }, { text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(2))
    await library.db
      .update(runs)
      .set({ attempt: sql`attempt + 1`, leaseUntil: new Date(Date.now() - 1_000) })
      .where(eq(runs.id, id))
    const other = await library.startProcess()
    const run = await library.ended(id)
    await other.close()
    expect(statesOf(run)).toEqual(['completed', 'skipped', 'completed'])
    expect(library.sent()).toEqual(['One', 'Three left out', 'Three left out'])
  })
})
