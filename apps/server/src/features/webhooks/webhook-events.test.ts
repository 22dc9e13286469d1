import type { WebhookEventType } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeStepAsk } from '../../testing/asks.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { labelsOf, protect } from '../../testing/version-labels.ts'
import { startWebhookLab, type WebhookLab } from '../../testing/webhooks.ts'

const HOUR = 3_600_000

describe.each(routeDatabaseKinds)('what webhooks are told on %s', (kind) => {
  let lab: WebhookLab
  let editor: TestUser
  beforeAll(async () => {
    lab = await startWebhookLab(kind)
    await lab.app.start()
    editor = await lab.registerUser({ username: 'Edda' })
    await protect(lab, 'gated', { needsSuite: true })
  })
  afterAll(() => lab.close())
  afterEach(() => lab.reset())

  const told = async (path: string, count = 1) =>
    (await lab.arrived(path, count)).map(({ body: { type, data } }) => ({ type, data }))
  /** Sent last: once it is there, what came before is there too, or never will be. */
  const nothingFor = async (hooks: { id: number; path: string }[], as: TestUser) => {
    for (const { id, path } of hooks) {
      await lab.call('POST', `/${id}/test`, { as })
      expect(await told(path)).toMatchObject([{ type: 'webhook.test' }])
    }
  }

  test('A run that failed is told with its code; what was stopped by hand is not told.', async () => {
    const { path } = await lab.add()
    const prompt = await lab.createPrompt(lab.owner, { content: 'Hello', title: 'Greeting' })
    const body = { promptId: prompt.id, model: 'openai' }
    lab.fake.reply({ text: 'Hi', finish: 'length' }, { status: 400 })
    for (const _ of [1, 2]) {
      await lab.request({ method: 'POST', url: '/api/execute-prompt', body, as: lab.owner })
    }
    const events = await told(path, 2)
    const run = { kind: 'prompt', promptId: prompt.id, chainId: null, name: 'Greeting' }
    expect(events.toSorted((a, b) => (a.type < b.type ? -1 : 1))).toMatchObject([
      {
        type: 'run.completed',
        data: { run: { ...run, status: 'completed', errorCode: null, cut: true, finishReason: 'length' } },
      },
      { type: 'run.failed', data: { run: { ...run, status: 'failed', errorCode: expect.any(String) } } },
    ])
  })

  test('An ask is told to the endpoints of those who may answer, once, and never with its text.', async () => {
    const events: WebhookEventType[] = ['ask.opened']
    const asked = await lab.add({ events, sendsTexts: true }, editor)
    const runner = await lab.add({ events, sendsTexts: true })
    const ask = makeStepAsk({ people: ['Edda'], text: 'Hidden {{input}}', question: 'Send it to Halden?' })
    const step = { kind: 'ask', title: 'Approve', content: '', ask }
    const chain = await lab.buildChain([step], { sharedLevel: 'shared' })
    const url = `/api/chains/${chain.id}/shares`
    const shares = [{ username: 'Edda', role: 'viewer' }]
    await lab.request({ method: 'PUT', url, body: shares, as: lab.owner })
    const executionId = await lab.execute(chain.id, { input: 'words' })
    const [{ raw, body } = { raw: '', body: undefined }] = await lab.arrived(asked.path, 1)
    const { data } = body ?? {}
    expect(data).toEqual({
      ...{ askId: expect.any(Number), executionId, chainId: chain.id, deadline: expect.any(String) },
      url: `http://localhost/asks/${data?.askId}`,
    })
    for (const text of ['Hidden', 'words', 'Halden']) expect(raw).not.toContain(text)
    await nothingFor([runner], lab.owner)
    const answer = { method: 'POST', url: `/api/asks/${data?.askId}/answer`, as: editor } as const
    expect((await lab.request({ ...answer, body: { decision: 'approve' } })).status).toBe(200)
    await lab.call('POST', `/${asked.id}/test`, { as: editor })
    expect((await told(asked.path, 2)).map(({ type }) => type)).toEqual(['ask.opened', 'webhook.test'])
  })

  test('A run that is resumed is told again.', async () => {
    const { path } = await lab.add()
    const chain = await lab.buildChain(['One'])
    lab.fake.reply({ status: 400 })
    const id = await lab.run(chain.id)
    await told(path, 1)
    await lab.request({ method: 'POST', url: `/api/executions/${id}/resume`, as: lab.owner })
    expect(await told(path, 2)).toMatchObject([
      { type: 'run.failed', data: { run: { id } } },
      { type: 'run.completed', data: { run: { id } } },
    ])
  })

  test('With `sendsTexts` input, answer and error of own runs come along, 50,000 characters of each, read as they are sent and kept in no delivery.', async () => {
    const { id, path } = await lab.add({ sendsTexts: true })
    const chain = await lab.buildChain(['{{input}}'])
    lab.fake.reply({ text: 'A secret answer' })
    const run = await lab.run(chain.id)
    const [posted] = await lab.arrived(path, 1)
    expect(posted?.body.data.texts).toEqual({
      ...{ input: 'A secret input', output: 'A secret answer', error: null, areClipped: false },
    })
    const [delivery] = await lab.settled(id, ['delivered'])
    expect(delivery?.body).not.toContain('secret')
    await lab.request({ method: 'DELETE', url: `/api/executions/${run}`, as: lab.owner })
    await lab.call('POST', `/${id}/deliveries/${delivery?.id}/send`)
    const [, again] = await lab.arrived(path, 2)
    expect(again?.raw).not.toContain('secret')
    expect(again?.id).toBe(posted?.id)
  })

  test('runs of others are told to nobody, whatever they may see', async () => {
    const chain = await lab.buildChain(['One'], { sharedLevel: 'public', runsVisibleTo: 'editors' })
    const mine = await lab.add({ sendsTexts: true })
    const theirs = await lab.add({}, lab.other)
    await lab.run(chain.id, lab.other)
    await told(theirs.path)
    await nothingFor([mine], lab.owner)
  })

  test('A move of a label, and one that its gate refused, is told to who owns the record or has it by name.', async () => {
    const events: WebhookEventType[] = ['label.moved', 'gate.failed']
    for (const of of ['prompt', 'chain'] as const) {
      const labels = labelsOf(lab, of)
      const id = await labels.create(2, of === 'chain' ? { sharedLevel: 'shared' } : { isPublic: true })
      const shares = [{ username: 'Edda', role: 'editor' }]
      const url = `/api/${of}s/${id}/shares`
      await lab.request({ method: 'PUT', url, body: shares, as: lab.owner })
      const [own, shared, stranger] = [
        await lab.add({ events }),
        await lab.add({ events }, editor),
        await lab.add({ events }, lab.other),
      ]
      await labels.moved(id, { version: 2, as: editor })
      const data = {
        record: { kind: of, id },
        moveId: expect.any(Number),
        label: 'production',
        fromVersion: null,
        toVersion: 2,
        movedBy: editor.user.id,
      }
      for (const { path } of [own, shared]) {
        expect(await told(path)).toEqual([{ type: 'label.moved', data }])
      }
      expect((await labels.move(id, { label: 'gated', version: 1, as: editor })).status).toBe(409)
      const gate = { record: { kind: of, id }, label: 'gated', version: 1, suites: [] }
      for (const { path } of [own, shared]) {
        expect((await told(path, 2))[1]).toEqual({ type: 'gate.failed', data: gate })
      }
      expect(await labels.shown(id)).toEqual({ production: 2 })
      await nothingFor([stranger], lab.other)
    }
  })

  test('A move is told to members of a group that has the record, and not to everyone where everyone has it.', async () => {
    const events: WebhookEventType[] = ['label.moved']
    const body = { name: 'Told', members: [editor.user.username, lab.owner.user.username] }
    expect((await lab.request({ method: 'POST', url: '/api/groups', body, as: lab.admin })).status).toBe(201)
    const labels = labelsOf(lab, 'prompt')
    const id = await labels.create(1)
    const shares = ['Told', 'everyone'].map((group) => ({ group, role: 'viewer' }))
    const url = `/api/prompts/${id}/shares`
    expect((await lab.request({ method: 'PUT', url, body: shares, as: lab.owner })).status).toBe(200)
    const [member, stranger] = [await lab.add({ events }, editor), await lab.add({ events }, lab.other)]
    await labels.moved(id, { version: 1 })
    expect(await told(member.path)).toMatchObject([{ type: 'label.moved' }])
    await nothingFor([stranger], lab.other)
  })

  test('a move is not sent any more to who lost the record meanwhile', async () => {
    const labels = labelsOf(lab, 'prompt')
    const id = await labels.create(1)
    const url = `/api/prompts/${id}/shares`
    const share = (shares: object[]) => lab.request({ method: 'PUT', url, body: shares, as: lab.owner })
    await share([{ username: 'Edda', role: 'editor' }])
    const hook = await lab.add({ events: ['label.moved'] }, editor)
    lab.answers.set(hook.path, [500])
    await labels.moved(id, { version: 1 })
    await told(hook.path)
    // What arrived is not written down yet: until then nothing is due later.
    await lab.wait(async () => expect((await lab.deliveries(hook.id, editor))[0]?.tries).toHaveLength(1))
    await share([])
    await lab.pass(60_001)
    await lab.settled(hook.id, ['dropped'], editor)
    await told(hook.path)
  })

  test('A budget that is used to 80 % is told once a month and amount.', async () => {
    const person = await lab.registerUser()
    const money = { method: 'PATCH' as const, url: `/api/admin/users/${person.user.id}/quotas` }
    await lab.request({ ...money, body: { money: 1 }, as: lab.admin })
    const { path, id } = await lab.add({ events: ['budget.near'] }, person)
    const chain = await lab.buildChain(['One'], { as: person })
    await lab.run(chain.id, person)
    await lab.db.execute(
      sql`insert into usage_calls (at, user_id, model, cost_nanos) values (now(), ${person.user.id}, 'fake-model', 8000000)`,
    )
    await lab.run(chain.id, person)
    await lab.run(chain.id, person)
    const [event] = await told(path)
    expect(event).toMatchObject({
      type: 'budget.near',
      data: { month: expect.stringMatching(/^\d{4}-\d\d$/), budgetUsd: 0.01 },
    })
    await lab.settled(id, ['delivered'], person)
  })

  test('Times that a schedule missed are told together, with how many.', async () => {
    const { path } = await lab.add({ events: ['schedule.missed'] })
    const chain = await lab.buildChain(['One'])
    const scheduledTime = new Date(lab.now().getTime() + HOUR).toISOString()
    const body = {
      scheduledTime,
      timeZone: 'UTC',
      isRecurring: true,
      recurringType: 'hourly',
      name: 'Report',
    }
    const url = `/api/chains/${chain.id}/schedule`
    const made = await lab.request({ method: 'POST', url, body, as: lab.owner })
    await lab.pass(3.5 * HOUR)
    const { id } = made.body as { id: number }
    expect(await told(path)).toEqual([
      {
        type: 'schedule.missed',
        data: {
          schedule: { id, name: 'Report', chainId: chain.id },
          dueAt: expect.any(String),
          missed: 2,
        },
      },
    ])
    await lab.db.execute(sql`delete from scheduled_runs`)
  })

  test('An import is told, a dry run is not.', async () => {
    const { path } = await lab.add({ events: ['import.done'] })
    const file = {
      name: 'a.json',
      text: JSON.stringify({ id: 'pmpt_7', instructions: 'Do it', tools: ['a'] }),
    }
    for (const dryRun of [true, false]) {
      const body = { dryRun, files: [file] }
      await lab.request({ method: 'POST', url: '/api/import', body, as: lab.owner })
    }
    expect(await told(path)).toEqual([
      {
        type: 'import.done',
        data: { importId: expect.any(Number), new: 1, versions: 0, copies: 0, losses: 2 },
      },
    ])
  })
})
