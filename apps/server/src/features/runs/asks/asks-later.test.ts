import type { Ask, Chain, StepAsk } from '@catenary/contracts'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { activity, asks, runSteps } from '../../../database/schema/index.ts'
import { makeStepAsk } from '../../../testing/asks.ts'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { openTestDatabase, routeDatabaseKinds, type TestDatabase } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'

const asking = (fields: Partial<StepAsk> = {}) => ({
  ...{ kind: 'ask', title: 'Approve', content: '' },
  ask: makeStepAsk({ people: ['Edda'], ...fields }),
})
const FOREVER = { runDays: null, textDays: null, keyHours: 24 }

describe.each(routeDatabaseKinds)('what becomes of asks, on %s', (kind) => {
  let database: TestDatabase
  let library: Gateway
  let share: SharedChains['share']
  let viewer: TestUser
  let editor: TestUser
  beforeAll(async () => {
    database = await openTestDatabase(kind)
    library = await startGateway(kind, {}, {}, { database })
    ;({ share, viewer, editor } = await startSharingChains(library))
  })
  afterAll(async () => {
    await library.close()
    await database.close()
  })
  beforeEach(() => library.fake.reset())

  const start = async (chain: Chain, input = 'Dear Halden') => {
    const run = await library.execute(chain.id, { input }, viewer)
    const id = await vi.waitFor(async () => {
      const { waitingFor } = await library.status(run, viewer)
      return waitingFor?.askId ?? expect.fail('it does not wait')
    })
    return { run, id }
  }
  const read = async (id: number, as: TestUser) => {
    const { status, body } = await library.request({ url: `/api/asks/${id}`, as })
    return { reply: status, ...(body as Ask) }
  }
  const answer = (id: number, as: TestUser, body: object = { decision: 'approve' }) =>
    library.request({ method: 'POST', url: `/api/asks/${id}/answer`, as, body })
  const asAdmin = async (method: 'POST' | 'PUT' | 'PATCH', url: string, body: object) => {
    const reply = await library.request({ method, url, body, as: library.admin })
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.body as { id: number }
  }
  const shareWith = (chain: Chain, usernames: readonly string[]) =>
    library.request({
      ...{ method: 'PUT' as const, url: `/api/chains/${chain.id}/shares`, as: library.owner },
      body: usernames.map((username) => ({ username, role: 'viewer' })),
    })

  test('The texts of an ask are deleted with those of its run; who decided what stays.', async () => {
    const chain = await share([asking({ editable: true, text: 'Secret {{input}}' })])
    const { run, id } = await start(chain, 'input')
    await answer(id, editor, { decision: 'approve', text: 'Secret change', reason: 'Secret reason' })
    await library.ended(run, viewer)
    await library.db.execute(sql`
      update executions set executed_at = now() - interval '31 days' where id = ${run}`)
    await asAdmin('PUT', '/api/admin/retention', { ...FOREVER, textDays: 30 })
    await vi.waitFor(async () => expect((await read(id, editor)).text).toBe(''))
    const reply = await library.request({ url: `/api/asks/${id}`, as: editor })
    expect(reply.text).not.toContain('Secret')
    expect(reply.body).toMatchObject({ status: 'answered', decision: 'approve', by: 'Edda' })
    const [row] = await library.db.select().from(asks).where(eq(asks.id, id))
    expect(JSON.stringify(row)).not.toContain('Secret')
    await asAdmin('PUT', '/api/admin/retention', FOREVER)
  })

  test('Whoever has left a group that is asked can’t answer; those who are in it can.', async () => {
    const owner = library.owner.user.username
    const members = [owner, 'Edda', 'Vera']
    const { id: groupId } = await asAdmin('POST', '/api/groups', { name: 'Council', members })
    const chain = await share([asking({ people: [], groups: ['Council'] })])
    const { id } = await start(chain)
    expect(await read(id, editor)).toMatchObject({ reply: 200, canAnswer: true })
    const usernames = [library.admin.user.username, owner, 'Vera']
    await asAdmin('PUT', `/api/groups/${groupId}/members`, { usernames })
    expect((await read(id, editor)).reply).toBe(404)
    expect((await answer(id, editor)).status).toBe(404)
    expect(await read(id, library.owner)).toMatchObject({ status: 'open', canAnswer: true })
    expect((await answer(id, library.owner)).status).toBe(200)
  })

  test('A disabled account can’t answer, and where nobody else is asked the choice for the deadline holds.', async () => {
    const ada = await library.registerUser({ username: 'Ada' })
    const [both, alone] = [
      await share([asking({ people: ['Ada', 'Edda'] })]),
      await share([asking({ people: ['Ada'], onDeadline: 'approve' })]),
    ]
    for (const chain of [both, alone]) await shareWith(chain, ['Ada', 'Edda', 'Vera'])
    const [first, second] = [await start(both), await start(alone)]
    expect(await read(first.id, ada)).toMatchObject({ reply: 200, canAnswer: true })
    await asAdmin('PATCH', `/api/admin/users/${ada.user.id}`, { disabled: true })
    expect((await answer(first.id, ada)).status).toBe(401)
    expect(await read(first.id, editor)).toMatchObject({ status: 'open', canAnswer: true })
    const ended = await library.ended(second.run, viewer)
    expect(ended.status).toBe('completed')
    expect(JSON.parse(ended.output ?? '')).toMatchObject({
      ...{ decision: 'approve', by: '', reason: 'Nobody was left who could answer' },
    })
    expect((await answer(first.id, editor)).status).toBe(200)
  })

  test('A deadline that passed while nothing ran ends its ask once, whichever processes come back.', async () => {
    const chain = await share([asking({ onDeadline: 'approve' }), 'Send {{a.decision}}.'])
    const { run, id } = await start(chain)
    await library.app.close()
    await database.client.db.execute(sql`
      update asks set deadline = now() - interval '1 hour' where id = ${id}`)
    await database.client.db.execute(sql`
      update jobs set run_at = now() - interval '1 hour', next_at = now() - interval '1 hour'
      where queue in ('ask-deadlines', 'ask-reminders')`)
    library.fake.replyByDefault({ text: 'Sent' })
    const processes = await Promise.all([library.startProcess(), library.startProcess()])
    await Promise.all(processes.map(({ app }) => app.start()))
    const [{ request, db }] = processes
    const find = async () => (await request({ url: `/api/executions/${run}`, as: viewer })).body
    await vi.waitFor(async () => expect(await find()).toMatchObject({ status: 'completed' }))
    expect(library.sent()).toEqual(['Send approve.'])
    expect(await db.select({ status: asks.status }).from(asks).where(eq(asks.executionId, run))).toEqual([
      { status: 'expired' },
    ])
    const isAsk = and(eq(runSteps.executionId, run), eq(runSteps.position, 0))
    expect(await db.$count(runSteps, isAsk)).toBe(1)
    const isEnd = and(eq(activity.kind, 'ask.expired'), eq(activity.objectId, id))
    expect(await db.$count(activity, isEnd)).toBe(1)
    await Promise.all(processes.map(({ close }) => close()))
  })
})
