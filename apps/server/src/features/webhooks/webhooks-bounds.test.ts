import type { CreatedWebhook, WebhookDelivery } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { startWebhookLab, type WebhookLab } from '../../testing/webhooks.ts'
import { createTurns } from './deliver.ts'

const WEBHOOK_DELIVERIES_KEPT = 200
const WEBHOOK_DELIVERY_DAYS = 14
const WEBHOOK_WAITING_MAX = 500

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe.each(routeDatabaseKinds)('webhooks and their bounds on %s', (kind) => {
  let lab: WebhookLab
  beforeAll(async () => {
    lab = await startWebhookLab(kind)
    await lab.app.start()
  })
  afterAll(() => lab.close())
  afterEach(() => lab.reset())

  const fill = (webhookId: number, { count, state }: { count: number; state: string }) =>
    lab.db.execute(sql`
      insert into webhook_deliveries (webhook_id, key, object, message_id, type, data, state, created_at, ended_at)
      select ${webhookId}, 'filled ' || n, 'filled ' || n, 'msg_' || n, 'webhook.test', '{}', ${state}, ${lab.now()},
        case when ${state} = 'waiting' then null else ${lab.now()}::timestamptz end
      from generate_series(1, ${count}) as n`)

  test('A webhook is its owner’s alone: POST /api/webhooks adds an endpoint, GET lists one’s own, PATCH changes one, DELETE removes it.', async () => {
    const { id } = await lab.add()
    const { id: deliveryId } = await lab.call<WebhookDelivery>('POST', `/${id}/test`)
    const disabled = await lab.registerUser()
    const url = `/api/admin/users/${disabled.user.id}`
    await lab.request({ method: 'PATCH', url, body: { disabled: true }, as: lab.admin })
    const calls: [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown][] = [
      ['GET', `/${id}/deliveries`],
      ['PATCH', `/${id}`, { events: ['run.failed'] }],
      ['POST', `/${id}/rotate`],
      ['POST', `/${id}/test`],
      ['POST', `/${id}/deliveries/${deliveryId}/send`],
      ['DELETE', `/${id}`],
    ]
    const statusOf = async ([method, path, body]: (typeof calls)[number], as: TestUser | undefined) =>
      (await lab.request({ method, url: `/api/webhooks${path}`, body, as })).status
    for (const call of calls) {
      const people = [undefined, disabled, lab.other, lab.admin]
      const statuses = await Promise.all(people.map((as) => statusOf(call, as)))
      expect([call[0], call[1], ...statuses]).toEqual([call[0], call[1], 401, 401, 404, 404])
    }
    for (const call of calls) expect(await statusOf(call, lab.owner), call[1]).toBeLessThan(300)
    const own: (typeof calls)[number] = ['POST', '', { url: lab.urlOf('/x'), events: ['run.failed'] }]
    expect(await statusOf(own, undefined)).toBe(401)
    expect(await statusOf(['GET', ''], undefined)).toBe(401)
    const mine = await lab.add()
    const theirs = await lab.call<CreatedWebhook>('POST', '', { body: own[2], as: lab.other })
    expect((await lab.list(lab.other)).map(({ id }) => id)).toEqual([theirs.id])
    const mixed = `/${mine.id}/deliveries/${deliveryId}/send`
    await lab.call('POST', mixed, { status: 404 })
  })

  test.each([
    [{ url: 'ftp://example.org' }, 'url'],
    [{ url: 'https://user:pass@example.org' }, 'url'],
    [{ url: 'no address' }, 'url'],
    [{ url: `https://example.org/${'x'.repeat(2_000)}` }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['run.failed', 'run.failed'] }, 'events'],
    [{ events: ['chain.waiting'] }, 'events.0'],
    [{ secret: 'whsec_mine' }, ''],
  ])('%j is refused at its field', async (fields, path) => {
    const body = { url: 'https://example.org', events: ['run.failed'], ...fields }
    const reply = await lab.request({ method: 'POST', url: '/api/webhooks', body, as: lab.owner })
    expect([reply.status, reply.body]).toMatchObject([400, { details: [{ path }] }])
  })

  test('The reply that adds an endpoint alone has its secret; a new secret signs beside the former one for a day.', async () => {
    const { id, secret, path } = await lab.add()
    const { rows } = await lab.db.execute(sql`select * from webhooks`)
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(await lab.list())).not.toContain('whsec_')
    const rotated = await lab.call<CreatedWebhook>('POST', `/${id}/rotate`)
    const third = await lab.call<CreatedWebhook>('POST', `/${id}/rotate`)
    expect(rotated.secret).not.toBe(secret)
    await lab.call('POST', `/${id}/test`)
    const [both] = await lab.arrived(path, 1)
    const all = [secret, rotated.secret, third.secret]
    for (const each of all) expect(lab.verify(both as never, each)).toBeTruthy()
    expect((await lab.find(id)).formerSecretUntil).toBe(third.formerSecretUntil)
    await lab.pass(DAY + 1)
    await lab.call('POST', `/${id}/test`)
    const [, alone] = await lab.arrived(path, 2)
    expect(lab.verify(alone as never, third.secret)).toBeTruthy()
    for (const each of all.slice(0, 2)) expect(() => lab.verify(alone as never, each)).toThrow('No matching')
    expect((await lab.find(id)).formerSecretUntil).toBeNull()
  })

  test('Beyond 500 that wait, events are left out, which the webhook says, and POST /api/webhooks/{id}/test answers 409.', async () => {
    const { id } = await lab.add({ events: ['import.done', 'run.completed'] })
    await fill(id, { count: WEBHOOK_WAITING_MAX, state: 'waiting' })
    await lab.call('POST', `/${id}/test`, { status: 409 })
    const chain = await lab.buildChain(['One'])
    await lab.run(chain.id)
    await lab.wait(async () =>
      expect(await lab.find(id)).toMatchObject({
        waiting: WEBHOOK_WAITING_MAX,
        leftOutAt: expect.any(String),
      }),
    )
    await lab.call('PATCH', `/${id}`, { body: { isActive: false } })
    expect(await lab.find(id)).toMatchObject({ waiting: 0, isActive: false, offReason: null })
  })

  test('ended deliveries are kept for two weeks, and the newest of each webhook', async () => {
    const { id } = await lab.add()
    await fill(id, { count: WEBHOOK_DELIVERIES_KEPT + 5, state: 'delivered' })
    const clean = async () => {
      // One that is under way would set its next time over this one.
      const due = sql`update jobs set next_at = now() where queue = 'upkeep' and not is_held returning id`
      await lab.wait(async () => expect((await lab.db.execute(due)).rows).toHaveLength(1))
      await lab.db.execute(sql`select pg_notify('catenary_jobs', '')`)
    }
    const count = async () => {
      const { rows } = await lab.db.execute<{ count: number }>(
        sql`select count(*)::integer as count from webhook_deliveries`,
      )
      return rows[0]?.count
    }
    await clean()
    await lab.wait(async () => expect(await count()).toBe(WEBHOOK_DELIVERIES_KEPT))
    await lab.pass(WEBHOOK_DELIVERY_DAYS * DAY + HOUR)
    await clean()
    await lab.wait(async () => expect(await count()).toBe(0))
  })

  test('a person who has none leaves their runs as they are; who goes takes the webhooks along', async () => {
    const chain = await lab.buildChain(['One'])
    const subscribersOf = async (run: number) => {
      const { rows } = await lab.db.execute(sql`select subscribers from executions where id = ${run}`)
      return rows[0]?.subscribers
    }
    expect(await subscribersOf(await lab.run(chain.id))).toBeNull()
    const { id } = await lab.add({ events: ['label.moved'] })
    expect(await subscribersOf(await lab.run(chain.id))).toBeNull()
    await lab.call('PATCH', `/${id}`, { body: { events: ['run.failed'] } })
    expect(await subscribersOf(await lab.run(chain.id))).toEqual({ webhooks: '' })
    const person = await lab.registerUser()
    const theirs = await lab.add({}, person)
    lab.answers.set(theirs.path, [500])
    await lab.call('POST', `/${theirs.id}/test`, { as: person })
    await lab.arrived(theirs.path, 1)
    await lab.db.execute(sql`delete from users where id = ${person.user.id}`)
    const { rows } = await lab.db.execute(
      sql`select from webhooks where id = ${theirs.id} union all select from webhook_deliveries where webhook_id = ${theirs.id}`,
    )
    expect(rows).toEqual([])
    await lab.pass(61_000)
    await lab.arrived(theirs.path, 1)
  })
})

test('a person takes four places at a time; who waits gets a time of their own', () => {
  let time = 0
  const turns = createTurns({ now: () => time })
  const taken = Array.from({ length: 4 }, () => turns.take(1))
  expect(taken.every((turn) => 'end' in turn)).toBe(true)
  expect([turns.take(1), turns.take(1)]).toEqual([{ waitMs: 750 }, { waitMs: 1_000 }])
  expect('end' in turns.take(2)).toBe(true)
  time = 100
  expect(turns.take(1)).toEqual({ waitMs: 1_150 })
  const [first] = taken
  if (first !== undefined && 'end' in first) first.end()
  expect('end' in turns.take(1)).toBe(true)
})
