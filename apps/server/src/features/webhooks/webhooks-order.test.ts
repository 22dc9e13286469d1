import type { WebhookDelivery } from '@catenary/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'
import { labelsOf } from '../../testing/version-labels.ts'
import { startWebhookLab, type WebhookLab } from '../../testing/webhooks.ts'

const WEBHOOK_TRIES = 8

trustTestCertificate()
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** As long as from each try to the next. */
const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 7 * HOUR, 13 * HOUR]

describe.each(routeDatabaseKinds)('deliveries on %s', (kind) => {
  let lab: WebhookLab
  beforeAll(async () => {
    lab = await startWebhookLab(kind, { settings: { metrics: true } })
    await lab.app.start()
  })
  afterAll(() => lab.close())
  afterEach(() => lab.reset())

  const tried = (id: number, count: number): Promise<WebhookDelivery> =>
    lab.wait(async () => {
      const [delivery] = await lab.deliveries(id)
      expect(delivery?.tries).toHaveLength(count)
      return delivery as WebhookDelivery
    })

  test('A delivery that fails is tried eight times in little more than a day, under one id, then given up; its owner gets one mail a day and webhook.', async () => {
    const { id, path, secret } = await lab.add()
    lab.answers.set(path, [502])
    const { body: first } = await lab.call<WebhookDelivery>('POST', `/${id}/test`)
    await tried(id, 1)
    for (const [index, wait] of WAITS.entries()) {
      await lab.pass(wait - MINUTE / 2)
      await lab.pass(MINUTE / 2 + 1)
      const { tryCount, state } = await tried(id, index + 2)
      expect([tryCount, state]).toEqual([index + 2, index === WAITS.length - 1 ? 'failed' : 'waiting'])
    }
    const posted = await lab.arrived(path, WEBHOOK_TRIES)
    expect(new Set(posted.map(({ id }) => id)).size).toBe(1)
    for (const each of posted) expect(lab.verify(each, secret)).toEqual(JSON.parse(first))
    const times = posted.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(DAY / 1000)
    const [delivery] = await lab.settled(id, ['failed'])
    expect(delivery).toMatchObject({ answer: 'answer 502', nextTryAt: null })
    const [mail] = await lab.wait(() => {
      expect(lab.mailServer.mails).toHaveLength(1)
      return lab.mailServer.mails
    })
    expect(mail).toMatchObject({
      to: [lab.owner.user.email],
      headers: { subject: 'Webhook delivery failed' },
    })
    expect(mail?.text).toContain('127.0.0.1')
    expect(mail?.text).not.toContain(path)
  })

  test('An endpoint that asks by `Retry-After` for a longer wait has it, 13 h at most.', async () => {
    const { id, path } = await lab.add()
    const inAnHour = String(HOUR / 1000)
    const inAYear = new Date(Date.now() + 365 * DAY).toUTCString()
    const soon = '1'
    lab.answers.set(path, [
      { status: 429, retryAfter: inAnHour },
      { status: 503, retryAfter: inAYear },
      { status: 503, retryAfter: soon },
      { status: 503, retryAfter: 'later' },
    ])
    await lab.call('POST', `/${id}/test`)
    for (const [index, wait] of [HOUR, Math.max(...WAITS), WAITS[2], WAITS[3]].entries()) {
      const { nextTryAt, tries } = await tried(id, index + 1)
      const waited = Date.parse(nextTryAt ?? '') - Date.parse(tries.at(-1)?.at ?? '')
      expect(Math.round(waited / MINUTE)).toBe(Math.round((wait ?? 0) / MINUTE))
      await lab.pass(wait ?? 0)
    }
    await tried(id, 5)
  })

  test('Deliveries of one object keep their order: later ones wait behind one that fails. Those of others don’t wait.', async () => {
    const { move, create } = labelsOf(lab, 'prompt')
    const [one, other] = [await create(2), await create(1)]
    const { id, path } = await lab.add({ events: ['label.moved'] })
    lab.answers.set(path, [500, 204])
    await move(one, { version: 1 })
    await tried(id, 1)
    await move(one, { version: 2, expectedVersion: 1 })
    await move(one, { label: 'staging', version: 1 })
    await move(other, { version: 1 })
    const waiting = await lab.settled(id, ['waiting', 'waiting', 'waiting', 'delivered'])
    expect(waiting.map(({ waitsBehind }) => waitsBehind)).toEqual([
      null,
      waiting[0]?.id,
      waiting[0]?.id,
      null,
    ])
    expect(await lab.find(id)).toMatchObject({
      waiting: 3,
      retried: { id: waiting[0]?.id, tries: 1 },
      failingSince: null,
    })
    await lab.call('POST', `/${id}/deliveries/${waiting[1]?.id}/send`, { status: 409 })
    await lab.pass(MINUTE + 1)
    await lab.settled(id, ['delivered', 'delivered', 'delivered', 'delivered'])
    const labels = (await lab.arrived(path, 5)).map(({ body }) => {
      const { record, label, toVersion } = body.data as { record: { id: number } } & Record<string, unknown>
      return `${record.id === one ? 'one' : 'other'} ${label} ${toVersion}`
    })
    expect(labels).toEqual([
      'one production 1',
      'other production 1',
      'one production 1',
      'one production 2',
      'one staging 1',
    ])
  })

  test('what is given up lets the next one of its object go', async () => {
    const { move, create } = labelsOf(lab, 'chain')
    const chain = await create(2)
    const { id, path } = await lab.add({ events: ['label.moved'] })
    lab.answers.set(path, [...Array.from({ length: WEBHOOK_TRIES }, () => 500), 204])
    await move(chain, { version: 1 })
    await move(chain, { version: 2, expectedVersion: 1 })
    for (const [index, wait] of WAITS.entries()) {
      await lab.wait(async () => {
        const [first] = (await lab.deliveries(id)).toReversed()
        expect(first?.tries).toHaveLength(index + 1)
      })
      await lab.pass(wait + 1)
    }
    await lab.settled(id, ['failed', 'delivered'])
  })

  test('Any delivery is sent again by hand, at once and under its id, unless an earlier one of its object waits.', async () => {
    const { id, path } = await lab.add()
    lab.answers.set(path, [500, 503, 204])
    const { id: deliveryId } = await lab.call<WebhookDelivery>('POST', `/${id}/test`)
    await tried(id, 1)
    const again = () => lab.call('POST', `/${id}/deliveries/${deliveryId}/send`)
    await again()
    const { state, tryCount, tries } = await tried(id, 2)
    expect([state, tryCount, tries[1]]).toMatchObject(['waiting', 1, { status: 503, isByHand: true }])
    await again()
    await lab.settled(id, ['delivered'])
    await again()
    await tried(id, 4)
    const ids = (await lab.arrived(path, 4)).map((each) => each.id)
    expect(new Set(ids).size).toBe(1)
    await lab.pass(2 * MINUTE)
    await lab.arrived(path, 4)
    expect(await lab.find(id)).toMatchObject({ retried: null, failingSince: null, waiting: 0 })
  })

  const figures = async () => {
    const { text } = await lab.request({ url: '/metrics' })
    return text.match(/^webhook\w* \d+$/gm)
  }

  test('An endpoint that answers nothing well for three days is switched off; what waits is dropped, its owner is mailed, and it can be switched on again.', async () => {
    const { id, path } = await lab.add()
    lab.answers.set(path, [500])
    await lab.call('POST', `/${id}/test`)
    await tried(id, 1)
    const since = (await lab.find(id)).failingSince
    expect(since).not.toBeNull()
    expect(await figures()).toEqual([
      'webhook_deliveries_waiting 1',
      'webhooks_failing 1',
      'webhooks_switched_off 0',
    ])
    for (const _ of [1, 2]) {
      await lab.pass(1.4 * DAY)
      await lab.call('POST', `/${id}/test`)
      await lab.wait(async () => expect((await lab.deliveries(id))[0]?.tries).not.toEqual([]))
      expect(await lab.find(id)).toMatchObject({ isActive: true, failingSince: since })
    }
    await lab.pass(0.3 * DAY)
    await lab.wait(async () =>
      expect(await lab.find(id)).toMatchObject({ isActive: false, offReason: 'failing', waiting: 0 }),
    )
    expect(await figures()).toEqual([
      'webhook_deliveries_waiting 0',
      'webhooks_failing 0',
      'webhooks_switched_off 1',
    ])
    await lab.wait(() =>
      expect(lab.mailServer.mails.map(({ headers }) => headers.subject)).toContain(
        'A webhook was switched off',
      ),
    )
    await lab.call('POST', `/${id}/test`, { status: 409 })
    await lab.call('POST', `/${id}/deliveries/${(await lab.deliveries(id))[0]?.id}/send`, { status: 409 })
    const count = lab.received.length
    await lab.pass(DAY)
    expect(lab.received).toHaveLength(count)
    lab.answers.delete(path)
    const on = await lab.call('PATCH', `/${id}`, { body: { isActive: true } })
    expect(on).toMatchObject({ isActive: true, offReason: null, failingSince: null })
    await lab.call('POST', `/${id}/test`)
    await lab.wait(async () => expect((await lab.deliveries(id))[0]?.state).toBe('delivered'))
  })

  test('An endpoint that answers 410 is switched off at once.', async () => {
    const gone = await lab.add()
    lab.answers.set(gone.path, [410])
    await lab.call('POST', `/${gone.id}/test`)
    await lab.wait(async () =>
      expect(await lab.find(gone.id)).toMatchObject({ isActive: false, offReason: 'gone' }),
    )
    const { id, path } = await lab.add()
    lab.answers.set(path, [500, 204, 500])
    await lab.call('POST', `/${id}/test`)
    await tried(id, 1)
    await lab.pass(2.5 * DAY)
    await lab.settled(id, ['delivered'])
    expect(await lab.find(id)).toMatchObject({ failingSince: null })
    await lab.call('POST', `/${id}/test`)
    await lab.wait(async () => expect((await lab.deliveries(id))[0]?.tries).toHaveLength(1))
    await lab.pass(2.5 * DAY)
    await lab.call('POST', `/${id}/test`)
    await lab.wait(async () => expect((await lab.deliveries(id))[0]?.tries).toHaveLength(1))
    await lab.pass(0.6 * DAY)
    expect(await lab.find(id)).toMatchObject({ isActive: true })
  })

  test('Only public addresses are posted to, as variables fetch only those, and no redirect is followed.', async () => {
    const hidden = await lab.add({ url: 'http://10.0.0.7/hook' })
    await lab.call('POST', `/${hidden.id}/test`)
    const { tries } = await tried(hidden.id, 1)
    expect(tries).toMatchObject([
      { status: null, error: 'This address is not allowed: it is not on the public internet' },
    ])
    const { id, path } = await lab.add()
    lab.answers.set(path, [302])
    await lab.call('POST', `/${id}/test`)
    expect((await tried(id, 1)).tries).toMatchObject([
      { status: 302, error: expect.stringMatching(/^It answered 302: redirects are not followed\./) },
    ])
    await lab.arrived(path, 1)
  })
})

test('What a process was sending when it ended is sent by another.', async () => {
  const lab = await startWebhookLab('embedded', { settings: { role: 'web' } })
  await lab.app.start()
  const first = await lab.startProcess({ role: 'worker' })
  await first.app.start()
  const { id, path } = await lab.add()
  lab.answers.set(path, ['silence', 204])
  await lab.call('POST', `/${id}/test`)
  await lab.arrived(path, 1)
  await first.close()
  expect((await lab.deliveries(id))[0]).toMatchObject({ state: 'waiting', tries: [] })
  const second = await lab.startProcess({ role: 'worker' })
  await second.app.start()
  await lab.settled(id, ['delivered'])
  const [before, after] = await lab.arrived(path, 2)
  expect(after?.id).toBe(before?.id)
  await second.close()
  await lab.close()
})
