import type { ChainRunSummary, CreatedChainToken, RunDetails, ScheduledRun } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { sendAsForm } from '../../../testing/send-as-form.ts'
import { Watcher } from '../../../testing/watcher.ts'

const SECRET = 'Ada Lovelace, 4711-0815'
const SETTINGS = {
  systemPrompt: 'Zander',
  messages: [{ role: 'user', content: 'Zirkus' }],
  stop: ['Zebra'],
}
const WORDS = ['Zander', 'Zirkus', 'Zebra']

describe.each(routeDatabaseKinds)('what others see of a run, on %s', (kind) => {
  let library: Gateway
  let editor: TestUser
  let viewer: TestUser
  let share: SharedChains['share']
  let run: SharedChains['run']
  beforeAll(async () => {
    library = await startGateway(kind)
    ;({ editor, viewer, share, run } = await startSharingChains(library))
    for (const as of [viewer, editor]) await library.createVariable(as, { name: 'client', content: SECRET })
    await library.createVariable(viewer, { name: 'tone', content: 'warm words', isPublic: true })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const textFor = async (path: string, as: TestUser) => (await library.request({ url: path, as })).text

  describe('a run that used a private value', () => {
    const texts = (id: number) => [
      `/api/executions/${id}`,
      `/api/executions/${id}/status`,
      `/api/executions/${id}/steps/0`,
      `/api/executions/${id}/steps/1`,
      `/api/executions/${id}/events`,
    ]
    const name = SECRET.slice(0, 12)
    /** How a model may give a value away where no mask finds it. */
    const REWRITINGS: [string, string][] = [
      ['reversed', [...SECRET].reverse().join('')],
      ['in base64', Buffer.from(SECRET).toString('base64')],
      ['the first half', SECRET.slice(0, SECRET.length / 2)],
      ['spaced out', [...SECRET].join(' ')],
      ['letter by letter', [...name].join('-')],
      ['its numbers in words', 'four seven one one, zero eight one five'],
      ['in hex', Buffer.from(SECRET).toString('hex')],
      ['by one letter off', SECRET.replace('L', 'K')],
      ['as a paraphrase', 'the countess who wrote the first program'],
    ]

    test.each(REWRITINGS)('shows others none of its texts: %s', async (_, rewritten) => {
      const chain = await share(['Dear $<client>, in $<tone>: {{input}}', 'Again: {{a}}'])
      library.fake.reply({ text: 'Well.' }, { text: `So: ${rewritten}` })
      const id = await run(chain, viewer, { input: 'Typed words' })
      expect(await library.find(id, viewer)).toMatchObject({
        ...{ sight: 'own', usesPrivateValues: true, sharing: 'none', output: `So: ${rewritten}` },
        steps: [{ inputContent: `Dear ${SECRET}, in warm words: Typed words` }, {}],
      })
      expect(await library.find(id, editor)).toMatchObject({
        ...{ sight: 'presence', usesPrivateValues: true, executedBy: 'Vera', status: 'started' },
        ...{ canStop: true, input: null, output: null, error: null, steps: null, outputTokens: null },
      })
      for (const as of [editor, library.owner])
        for (const path of texts(id)) {
          const seen = await textFor(path, as)
          for (const word of [rewritten, SECRET, 'Typed words', 'Well.', 'Dear'])
            expect(seen, path).not.toContain(word)
        }
    })

    test('is closed from the step on that took it in, the steps before it too', async () => {
      const chain = await share(['Plain', 'Dear $<client>', 'And {{b}}'])
      library.fake.reply({ text: 'Plainly' }, { text: 'To her' }, { text: 'Done' })
      const id = await run(chain)
      const { sight, steps } = await library.find(id, editor)
      expect([sight, steps]).toEqual(['presence', null])
    })

    test('is so whatever kind of variable it was, also where its value could not be had', async () => {
      await library.createVariable(viewer, {
        ...{ name: 'feed', type: 'api', content: '', apiUrl: 'http://feed.example.com/secret-path' },
      })
      const chain = await share([{ content: 'Read $<feed>' }])
      const id = await run(chain)
      expect((await library.find(id, viewer)).usesPrivateValues).toBe(true)
      for (const path of texts(id).filter((path) => !path.endsWith('/1')))
        expect(await textFor(path, editor), path).not.toContain('secret-path')
    })

    test('stays so if that is unknown, and for runs from before it was recorded', async () => {
      const chain = await share(['one'])
      const id = await run(chain)
      expect((await library.find(id, editor)).sight).toBe('texts')
      await library.db.execute(sql`update executions set private_values = null where id = ${id}`)
      expect((await library.find(id, editor)).sight).toBe('presence')
    })

    test('is so when it failed: neither its stream nor its failure says a word', async () => {
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
      expect(others).toContain('"status":"started"')
      expect(others).not.toMatch(/delta|4711|Lovelace/)
      const list = await textFor(`/api/chains/${chain.id}/executions`, editor)
      expect([list.includes('"failed"'), /4711|Lovelace/.test(list)]).toEqual([false, false])
      for (const path of texts(id))
        expect(await textFor(path, editor), path).not.toMatch(/4711|Lovelace|bad:/)
    })

    test('can’t be rated by people who can’t read it', async () => {
      const id = await run(await share(['Dear $<client>']))
      const url = `/api/executions/${id}/rating`
      const rate = (as: TestUser) =>
        library.request({ method: 'PUT', url, body: { thumb: 'up', note: '' }, as })
      expect([(await rate(editor)).status, (await rate(viewer)).status]).toEqual([403, 200])
      expect((await library.request({ url: `${url}s`, as: editor })).status).toBe(403)
    })
  })

  test('Of a run that has not ended others see metrics only.', async () => {
    const chain = await share(['In $<tone>: {{input}}'])
    const hold = Promise.withResolvers<void>()
    library.fake.reply({ text: 'Answered', beforeAnyByte: () => hold.promise })
    const id = await library.execute(chain.id, { input: 'Typed words' }, viewer)
    await expect.poll(async () => (await library.find(id, viewer)).status).toBe('running')
    const before = await library.find(id, editor)
    expect([before.sight, before.input, before.canStop]).toEqual(['figures', '', true])
    hold.resolve()
    await library.ended(id, viewer)
    expect(await library.find(id, editor)).toMatchObject({
      ...{ sight: 'texts', usesPrivateValues: false, input: 'Typed words', output: 'Answered' },
      steps: [{ inputContent: 'In warm words: Typed words', resolved: { tone: { revision: 1 } } }],
    })
  })

  test('of a prompt that they can not see, others get neither text nor title', async () => {
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
    expect([seen?.title, seen?.inputContent, seen?.promptId]).toEqual(['', null, null])
  })

  test('nor the settings that the step takes from it', async () => {
    const prompt = await library.createPrompt(editor, { content: 'Write.', ...SETTINGS })
    const chain = await share(['{{input}}'])
    const step = { promptId: prompt.id, content: 'Write.', outputVariableName: 'linked', position: 5 }
    await library.createStep(editor, chain.id, step)
    const id = await run(chain, editor, { input: 'go' })
    const own = await textFor(`/api/executions/${id}/steps/1`, editor)
    for (const word of WORDS) expect(own).toContain(word)
    for (const path of [`/api/executions/${id}`, `/api/executions/${id}/steps/1`]) {
      const shown = await textFor(path, library.owner)
      expect(shown).toContain('Fake openai says: Write.')
      for (const word of WORDS) expect(shown, path).not.toContain(word)
    }
  })

  test('a prompt’s run is read by an admin who sees the prompt unless it used private values, or came whole', async () => {
    const { admin } = library
    const prompt = await library.createPrompt(viewer, { content: 'Dear $<client>', isPublic: true })
    const history = `/api/prompts/${prompt.id}/executions`
    const start = async (fields: object) => {
      const body = { promptId: prompt.id, model: 'openai', ...fields }
      const reply = await sendAsForm(library, {
        method: 'POST',
        url: '/api/execute-prompt',
        body,
        as: viewer,
      })
      return (reply.body as { executionId: number }).executionId
    }
    const used = await start({})
    const whole = await start({ processedContent: `Dear ${SECRET}` })
    const typed = await start({ variables: { client: 'anyone' } })
    const accessLevels = async () =>
      Promise.all([used, whole, typed].map(async (id) => (await library.find(id, admin)).sight))
    expect(await accessLevels()).toEqual(['figures', 'figures', 'texts'])
    for (const path of [history, `${history}/${used}`, `${history}/${whole}`])
      expect(await textFor(path, admin)).not.toContain('Lovelace')
    expect(await textFor(history, admin)).toContain('Dear anyone')
    expect(await textFor(history, viewer)).toContain(`Dear ${SECRET}`)
    const url = `/api/prompts/${prompt.id}`
    await library.request({ method: 'PATCH', url: `${url}/public`, body: { isPublic: false }, as: viewer })
    await library.request({ method: 'DELETE', url, as: viewer })
    expect(await accessLevels()).toEqual(['figures', 'figures', 'figures'])
  })

  test('System prompt, turns, stop texts and schema are seen with the texts of a run; of a linked prompt’s, by who sees the prompt. Numbers stay with the metrics.', async () => {
    const schema = { type: 'object', properties: { Zettel: { type: 'string' } }, required: ['Zettel'] }
    const output = { type: 'json', schema: { ...schema, additionalProperties: false } }
    const settings = { ...SETTINGS, systemPrompt: 'Zander for $<client>', output, maxTokens: 77 }
    library.fake.replyByDefault({ text: '```json\n{"Zettel": "Zimt"}\n```' })
    const words = [...WORDS, 'Zettel', 'Zimt', 'isRepaired']
    const hides = async (path: string, as: TestUser) => {
      const own = await textFor(path, viewer)
      for (const word of words) expect(own, path).toContain(word)
      const shown = await textFor(path, as)
      expect(shown).toContain('"maxTokens":77')
      for (const word of words) expect(shown, path).not.toContain(word)
    }
    const chain = await share([{ content: 'Write.', ...settings }])
    const id = await run(chain)
    await hides(`/api/executions/${id}/steps/0`, library.admin)
    const prompt = await library.createPrompt(viewer, { content: 'Write.', isPublic: true, ...settings })
    const body = { promptId: prompt.id, model: 'openai' }
    const reply = await sendAsForm(library, { method: 'POST', url: '/api/execute-prompt', body, as: viewer })
    expect(reply.status, reply.text).toBe(200)
    const { executionId } = reply.body as { executionId: number }
    await hides(`/api/prompts/${prompt.id}/executions`, library.admin)
    await hides(`/api/prompts/${prompt.id}/executions/${executionId}`, library.admin)
  })

  test('an admin gets the metrics of every run and none of its text', async () => {
    const chain = await share([{ content: 'Words of the chain', title: 'Title of the step' }])
    library.fake.reply({ text: 'Answer in words' })
    const id = await run(chain, viewer, { input: 'Typed words' })
    const text = await textFor(`/api/executions/${id}`, library.admin)
    expect(text).not.toMatch(/words|Title of/i)
    const seen = JSON.parse(text) as RunDetails
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
    const runs = (await library.request({ url: list, as: library.owner })).body as ChainRunSummary[]
    expect(runs.map(({ trigger, sight, token: shown }) => [trigger, sight, shown])).toEqual([
      [null, 'presence', null],
      [null, 'presence', null],
    ])
    for (const { id } of runs) expect((await library.find(id)).steps).toBeNull()
    const tokenRuns = await library.request({ url: `/api/tokens/${token.id}/executions`, as: viewer })
    expect(tokenRuns.body).toEqual([])
  })

  test('an idempotency key gives its reply only to the person who sent it', async () => {
    const chain = await share(['Dear $<client>'])
    const id = await run(chain)
    const cancel = (as: TestUser) =>
      library.request({
        ...{ method: 'POST' as const, url: `/api/executions/${id}/cancel`, as },
        headers: { 'idempotency-key': 'one-key-for-all' },
      })
    expect((await cancel(viewer)).body).toMatchObject({ sight: 'own' })
    expect((await cancel(editor)).body).toMatchObject({ sight: 'presence' })
    expect((await cancel(library.other)).status).toBe(404)
  })
})
