import type {
  Chain,
  ChainExecutionSummary,
  CreatedChainToken,
  Execution,
  ScheduledRun,
} from '@catenary/contracts'
import { MASK } from '@catenary/domain'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { Watcher } from '../../../testing/watcher.ts'

const SECRET = 'Ada Lovelace, 4711-0815'

describe.each(routeDatabaseKinds)('what others see of a run, on %s', (kind) => {
  let library: Gateway
  let editor: TestUser
  let viewer: TestUser
  beforeAll(async () => {
    library = await startGateway(kind)
    editor = await library.registerUser({ username: 'Edda' })
    viewer = await library.registerUser({ username: 'Vera' })
    for (const as of [viewer, editor]) await library.createVariable(as, { name: 'client', content: SECRET })
    await library.createVariable(viewer, { name: 'tone', content: 'warm words', isPublic: true })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const share = async (contents: (string | object)[], fields: object = {}): Promise<Chain> => {
    const chain = await library.buildChain(contents, { sharedLevel: 'shared', ...fields })
    const shares = [
      { username: 'Vera', role: 'viewer' },
      { username: 'Edda', role: 'editor' },
    ]
    await library.request({
      method: 'PUT',
      url: `/api/chains/${chain.id}/shares`,
      body: shares,
      as: library.owner,
    })
    return chain
  }
  const change = async (chain: Chain, body: object, as = library.owner) =>
    library.request({ method: 'PATCH', url: `/api/chains/${chain.id}`, body, as })
  const run = async (chain: Chain, as = viewer, body: object = {}) => {
    const id = await library.execute(chain.id, body, as)
    await library.ended(id, as)
    return id
  }
  const statusFor = async (id: number, as: TestUser) =>
    (await library.request({ url: `/api/executions/${id}`, as })).status
  const textFor = async (path: string, as: TestUser) => (await library.request({ url: path, as })).text

  describe('the switch of a chain', () => {
    test('closes runs, and turning it back opens none that was started before', async () => {
      const chain = await share(['one'])
      const before = await run(chain)
      await change(chain, { runsVisibleTo: 'runner' })
      const meanwhile = await run(chain)
      expect(await Promise.all([before, meanwhile].map((id) => statusFor(id, editor)))).toEqual([404, 404])
      await change(chain, { runsVisibleTo: 'editors' })
      const after = await run(chain)
      const seen = await Promise.all([before, meanwhile, after].map((id) => statusFor(id, editor)))
      expect(seen).toEqual([404, 404, 200])
      const url = `/api/chains/${chain.id}/executions`
      const list = (await library.request({ url, as: editor })).body as ChainExecutionSummary[]
      expect(list.map(({ id, sight }) => [id, sight])).toEqual([[after, 'masked']])
    })

    test('runs of a chain that was public stay closed once it is shared, as do those of before the switch came', async () => {
      const chain = await share(['one'], { sharedLevel: 'public' })
      const open = await run(chain)
      await change(chain, { sharedLevel: 'shared' })
      const old = await run(chain)
      await library.db.execute(sql`update executions set runs_opening = null where id = ${old}`)
      expect([await statusFor(open, editor), await statusFor(old, editor)]).toEqual([404, 404])
      expect(await statusFor(old, viewer)).toBe(200)
    })

    test('is the owner’s, and a copy of the chain has it too', async () => {
      const chain = await share(['one'])
      expect((await change(chain, { runsVisibleTo: 'runner' }, editor)).status).toBe(403)
      expect((await change(chain, { runsVisibleTo: 'editors', name: 'Renamed' }, editor)).status).toBe(200)
      await change(chain, { runsVisibleTo: 'runner' })
      const url = `/api/chains/${chain.id}/duplicate`
      const copy = (await library.request({ method: 'POST', url, as: library.owner })).body
      expect(copy).toMatchObject({ runsVisibleTo: 'runner' })
      expect(copy).not.toHaveProperty('runsOpening')
    })

    test('holds for a stream that is open', async () => {
      const chain = await share(['one'])
      library.fake.reply({ text: ['stuck'], fault: 'silence' })
      const id = await library.execute(chain.id, {}, viewer)
      const watcher = new Watcher(`${library.address}/api/executions/${id}/events`, editor)
      await expect.poll(() => watcher.events.length).toBeGreaterThan(0)
      await change(chain, { runsVisibleTo: 'runner' })
      await watcher.done
      expect(watcher.events.map(({ event }) => event)).not.toContain('end')
      await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: viewer })
    })
  })

  describe('values of private variables', () => {
    const texts = (id: number) => [
      `/api/executions/${id}`,
      `/api/executions/${id}/steps/0`,
      `/api/executions/${id}/steps/1`,
    ]

    test('are masked in inputs, outputs and what was typed, wherever they stand', async () => {
      const chain = await share(['Dear $<client>, in $<tone>: {{input}}', 'Again: {{a}}'])
      library.fake.reply({ text: `To ${SECRET.toUpperCase()}!` }, { text: `So: ${SECRET.slice(0, 9)}` })
      const id = await run(chain, viewer, { input: `I am ${SECRET}` })
      const own = await library.find(id, viewer)
      expect([own.sight, own.steps[0]?.inputContent]).toEqual([
        'own',
        `Dear ${SECRET}, in warm words: I am ${SECRET}`,
      ])
      const seen = await library.find(id, editor)
      expect(seen).toMatchObject({
        ...{ sight: 'masked', isSeenByEditors: true, canStop: true, canResume: false, executedBy: 'Vera' },
        ...{ input: `I am ${MASK}`, output: `So: ${MASK}`, result: { output: `So: ${MASK}` } },
        steps: [
          {
            inputContent: `Dear ${MASK}, in warm words: I am ${MASK}`,
            aiResponse: `To ${MASK}!`,
            outputVariableValue: `To ${MASK}!`,
            resolved: { client: { variableId: null, source: null }, tone: { source: null, revision: 1 } },
          },
          { inputContent: `Again: To ${MASK}!`, aiResponse: `So: ${MASK}` },
        ],
      })
      const [first] = seen.steps
      const parts = first?.inputSegments.map(({ name, start, end }) => [
        name,
        first.inputContent?.slice(start, end),
      ])
      expect(parts).toEqual([
        ['client', MASK],
        ['tone', 'warm words'],
        ['input', `I am ${MASK}`],
      ])
      for (const as of [editor, library.owner])
        for (const path of texts(id))
          expect(await textFor(path, as), path).not.toMatch(/lovelace|ada l|4711/i)
    })

    test('are masked in runs of before it was noted whose they are, and not shown where they can not be told', async () => {
      const chain = await share(['Dear $<client>', 'Again'])
      library.fake.replyByDefault({ text: 'Well.' })
      const id = await run(chain)
      await library.db.execute(sql`
        update execution_steps set resolved = resolved #- '{client,isPrivate}' where execution_id = ${id} and position = 0`)
      expect((await library.find(id, editor)).steps[0]?.inputContent).toBe(`Dear ${MASK}`)
      await library.db.execute(sql`
        update execution_steps set input_segments = (
          select jsonb_agg(jsonb_build_object('start', 0, 'end', 1, 'kind', 'output', 'name', 'x')) from generate_series(1, 2000))
        where execution_id = ${id} and position = 0`)
      const { steps, output } = await library.find(id, editor)
      expect([steps[0]?.inputContent, steps[1]?.aiResponse, output]).toEqual([MASK, MASK, MASK])
    })

    test('are masked in a run whose texts are clipped', async () => {
      const chain = await share(['Dear $<client>', 'Again'])
      library.fake.reply({ text: `${SECRET} ${'x'.repeat(2_100_000)}` }, { text: SECRET })
      const id = await run(chain)
      const { steps, output } = await library.find(id, editor)
      expect(steps[0]).toMatchObject({ contentClipped: true, inputContent: MASK })
      expect([steps[0]?.aiResponse?.slice(0, 7), output]).toEqual([`${MASK} `, MASK])
      for (const path of texts(id)) expect(await textFor(path, editor), path).not.toContain('Lovelace')
    })

    test('of a prompt that they can not see, others get no text', async () => {
      const prompt = await library.createPrompt(editor, { title: 'Hidden', content: 'A copy' })
      const chain = await share(['{{input}}'])
      const step = { promptId: prompt.id, content: 'A copy', outputVariableName: 'linked', position: 5 }
      await library.createStep(editor, chain.id, step)
      const body = { title: 'Later', content: 'Later words', categoryId: library.categoryId, isActive: true }
      await library.request({ method: 'PUT', url: `/api/prompts/${prompt.id}`, body, as: editor })
      const id = await run(chain, editor, { input: 'go' })
      const own = (await library.find(id, editor)).steps[1]
      expect([own?.title, own?.inputContent]).toEqual(['Later', 'Later words'])
      const seen = (await library.find(id, library.owner)).steps[1]
      expect([seen?.title, seen?.inputContent, seen?.promptId]).toEqual(['', MASK, null])
    })

    test('never leave in the text that is watched, nor in the words of a failure', async () => {
      const chain = await share(['Dear $<client>', 'Again {{a}}'])
      library.fake.reply(
        { text: [`To ${SECRET}`, ' and on'], delayMs: 50 },
        { status: 400, message: `bad: ${SECRET}` },
      )
      const id = await library.execute(chain.id, {}, viewer)
      const watchers = [viewer, editor].map(
        (as) => new Watcher(`${library.address}/api/executions/${id}/events`, as),
      )
      await Promise.all(watchers.map(({ done }) => done))
      const [own, others] = watchers.map(({ events }) => JSON.stringify(events))
      expect(own).toContain('4711')
      expect(others).toContain('"status":"failed"')
      expect(others).not.toMatch(/delta|4711|Lovelace/)
      const list = await textFor(`/api/chains/${chain.id}/executions`, editor)
      expect([list.includes('"failed"'), /4711|Lovelace/.test(list)]).toEqual([true, false])
      for (const path of [...texts(id), `/api/executions/${id}/status`])
        expect(await textFor(path, editor), path).not.toMatch(/4711|Lovelace/)
    })

    test('stay out of what an admin reads of runs of prompts, which of a hidden prompt are figures', async () => {
      const prompt = await library.createPrompt(viewer, { content: 'Dear $<client>', isPublic: true })
      const body = { promptId: prompt.id, model: 'openai' }
      const reply = await library.request({ method: 'POST', url: '/api/execute-prompt', body, as: viewer })
      const { executionId: id } = reply.body as { executionId: number }
      const { admin } = library
      expect((await library.find(id, admin)).steps[0]?.inputContent).toBe(`Dear ${MASK}`)
      const history = `/api/prompts/${prompt.id}/executions`
      expect(await textFor(history, admin)).not.toMatch(/Lovelace/)
      expect(await textFor(`${history}/${id}`, admin)).toContain(`Dear ${MASK}`)
      expect(await textFor(history, viewer)).toContain(`Dear ${SECRET}`)
      await library.request({
        method: 'PATCH',
        url: `/api/prompts/${prompt.id}/public`,
        body: { isPublic: false },
        as: viewer,
      })
      await library.request({ method: 'DELETE', url: `/api/prompts/${prompt.id}`, as: viewer })
      expect(await library.find(id, admin)).toMatchObject({
        ...{ sight: 'figures', status: 'completed' },
        steps: [{ inputContent: null, aiResponse: null, title: '' }],
      })
    })
  })

  test('an admin gets the figures of every run and no word of it', async () => {
    const chain = await share([{ content: 'Words of the chain', title: 'Title of the step' }])
    library.fake.reply({ text: 'Answer in words' })
    const id = await run(chain, viewer, { input: 'Typed words' })
    const text = await textFor(`/api/executions/${id}`, library.admin)
    expect(text).not.toMatch(/words|Title of/i)
    const seen = JSON.parse(text) as Execution
    expect([seen.sight, seen.steps[0]?.outputTokens]).toEqual(['figures', expect.any(Number)])
  })

  test('runs of schedules and tokens are seen as those from the page', async () => {
    const chain = await share(['Dear $<client>'])
    const scheduledTime = '2099-01-01T00:00:00Z'
    const url = `/api/chains/${chain.id}/schedule`
    const made = await library.request({ method: 'POST', url, body: { scheduledTime }, as: viewer })
    const { id: scheduleId } = made.body as ScheduledRun
    const started = await library.request({
      method: 'POST',
      url: `/api/scheduled-runs/${scheduleId}/execute`,
      as: viewer,
    })
    const { id: scheduled } = started.body as { id: number }
    await library.ended(scheduled, viewer)
    const token: CreatedChainToken = await library.createToken(chain.id, {}, editor)
    const messages = [{ role: 'user', content: 'Hi' }]
    await library.post('/v1/chat/completions', token.token, { model: `chain-${chain.id}`, messages })
    const list = `/api/chains/${chain.id}/executions`
    const runs = (await library.request({ url: list, as: library.owner })).body as ChainExecutionSummary[]
    expect(runs.map(({ trigger, sight, token: shown }) => [trigger, sight, shown])).toEqual([
      ['token', 'masked', null],
      ['schedule', 'masked', null],
    ])
    for (const { id } of runs) expect((await library.find(id)).steps[0]?.inputContent).toBe(`Dear ${MASK}`)
    const tokenRuns = await library.request({ url: `/api/tokens/${token.id}/executions`, as: viewer })
    expect(tokenRuns.body).toEqual([])
  })

  test('a key of a write gives its reply to none but who sent it', async () => {
    const chain = await share(['Dear $<client>'])
    const id = await run(chain)
    const cancel = (as: TestUser) =>
      library.request({
        ...{ method: 'POST' as const, url: `/api/executions/${id}/cancel`, as },
        headers: { 'idempotency-key': 'one-key-for-all' },
      })
    expect((await cancel(viewer)).body).toMatchObject({ sight: 'own' })
    expect((await cancel(editor)).body).toMatchObject({ sight: 'masked' })
    expect((await cancel(library.other)).status).toBe(404)
  })
})
