import type { ActivityRow } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { startSyslogServer } from '../../testing/syslog-server.ts'
import { TEST_CERTIFICATE } from '../../testing/test-certificate.ts'
import { startWebhookLab, type WebhookLab } from '../../testing/webhooks.ts'
import { linkActivity } from '../activity/activity.ts'
import { logActivity, sendActivity } from './send-activity.ts'

interface Sent {
  rows: ActivityRow[]
  head: { number: number; hash: string }
}

describe.each(routeDatabaseKinds)('sending the activity on the %s database', (kind) => {
  let lab: WebhookLab
  beforeAll(async () => {
    lab = await startWebhookLab(kind)
    await lab.app.start()
  })
  afterAll(() => lab.close())

  const makeViews = async (names: string[]) => {
    for (const name of names) {
      const body = { name, page: 'prompts', query: 'sort=title' }
      const reply = await lab.request({ method: 'POST', url: '/api/views', body, as: lab.owner })
      expect(reply.status, reply.text).toBe(201)
    }
  }
  const send = async () => {
    await linkActivity(lab.ctx)
    await sendActivity(lab.ctx)
  }
  const sentTo = async (path: string, count: number) =>
    (await lab.arrived(path, count)).map(({ body }) => body.data as unknown as Sent)

  test('Administrators’ webhooks get each row of the activity once it has its link, in order, with the last hash.', async () => {
    await send()
    const { path } = await lab.add({ events: ['activity'] }, lab.admin)
    await makeViews(['One', 'Two'])
    await send()
    const [first] = await sentTo(path, 1)
    expect(first?.rows.map(({ kind }) => kind)).toEqual(['webhook.created', 'view.created', 'view.created'])
    expect(first?.head).toEqual(first?.rows.at(-1)?.link)
    await send()
    await makeViews(['Three'])
    await Promise.all([send(), send()])
    const [, second] = await sentTo(path, 2)
    expect(second?.rows.map(({ link }) => link?.number)).toEqual([(first?.head.number ?? 0) + 1])
    expect(JSON.stringify([first, second])).not.toMatch(/One|Two|Three/)
  })

  test('Only administrators can be sent the activity, also when they are none any more.', async () => {
    const url = lab.urlOf('/refused')
    await lab.call('POST', '', { body: { url, events: ['activity'] }, status: 403 })
    const { id } = await lab.add({ events: ['run.failed'] })
    await lab.call('PATCH', `/${id}`, { body: { events: ['activity'] }, status: 403 })
    const former = await lab.registerUser({ role: 'admin' })
    const hook = await lab.add({ events: ['activity'] }, former)
    await lab.client.pool.query(`update users set role = 'user' where id = $1`, [former.user.id])
    await send()
    expect(await lab.deliveries(hook.id, former)).toEqual([])
  })

  test('A syslog server gets each row of the activity once it has its link, in order; rows that did not arrive come again.', async () => {
    const server = await startSyslogServer()
    const { cert: ca } = TEST_CERTIFICATE
    const numbersIn = (text: string) =>
      [...text.matchAll(/"link":\{"number":(\d+)/g)].map(([, one]) => Number(one))
    await linkActivity(lab.ctx)
    await expect(logActivity(lab.ctx, { url: 'tls://localhost:1', ca })).rejects.toThrow('ECONNREFUSED')
    await logActivity(lab.ctx, { url: server.url, ca })
    const first = numbersIn(server.received.join(''))
    expect(first.length).toBeGreaterThan(1)
    expect(first).toEqual(first.map((_, index) => index + 1))
    await makeViews(['Four'])
    await linkActivity(lab.ctx)
    await logActivity(lab.ctx, { url: server.url, ca })
    await logActivity(lab.ctx, { url: server.url, ca })
    const all = server.received.join('')
    expect(numbersIn(all)).toEqual([...first, first.length + 1])
    expect(all).not.toMatch(/One|Two|Three|Four/)
    server.close()
  })
})
