import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { startWebhookLab, type WebhookLab } from '../../testing/webhooks.ts'

describe.each(routeDatabaseKinds)('webhooks on %s', (kind) => {
  let lab: WebhookLab
  beforeAll(async () => {
    lab = await startWebhookLab(kind)
    await lab.app.start()
  })
  afterAll(() => lab.close())
  afterEach(() => lab.reset())

  test('A message has the form and the headers of Standard Webhooks, and its reference library verifies it.', async () => {
    const chain = await lab.buildChain(['Write about {{input}}.'], { name: 'Weekly' })
    const { id, secret, path } = await lab.add()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    lab.fake.reply({ text: 'A secret answer' })
    const run = await lab.run(chain.id)
    const [posted] = await lab.arrived(path, 1)
    expect(lab.verify(posted as never, secret)).toEqual({
      type: 'run.completed',
      timestamp: expect.stringMatching(/^\d{4}-.+Z$/),
      data: {
        run: expect.objectContaining({
          id: run,
          kind: 'chain',
          chainId: chain.id,
          name: 'Weekly',
          status: 'completed',
          trigger: 'manual',
          steps: 1,
          inputTokens: expect.any(Number),
          costUsd: expect.any(Number),
        }),
      },
    })
    expect(() => lab.verify(posted as never, `whsec_${btoa('another secret')}`)).toThrow('No matching')
    expect(posted?.raw).not.toMatch(/secret (input|answer)/)
    expect(posted?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Catenary' })
    const [delivery] = await lab.settled(id, ['delivered'])
    expect(delivery).toMatchObject({
      type: 'run.completed',
      object: `run:${run}`,
      messageId: posted?.id,
      body: posted?.raw,
      tryCount: 1,
      nextTryAt: null,
      tries: [{ status: 204, error: null, isByHand: false }],
    })
    expect(await lab.find(id)).toMatchObject({
      waiting: 0,
      recent: [{ id: delivery?.id, state: 'delivered' }],
      latestTry: { status: 204 },
      retried: null,
      failingSince: null,
    })
  })

  test('The end of a run is told once, with ids, names, tokens and cost, and no text.', async () => {
    const chain = await lab.buildChain(['One'])
    const { id, path } = await lab.add()
    const run = await lab.run(chain.id)
    await lab.settled(id, ['delivered'])
    const { rows } = await lab.db.execute<{ key: string }>(sql`select key from webhook_deliveries`)
    expect(rows).toEqual([{ key: expect.stringMatching(new RegExp(`^run:${run}:\\d+$`)) }])
    const payload = JSON.stringify({ executionId: run, reference: '', status: 'completed' })
    await lab.db.execute(
      sql`insert into jobs (queue, key, payload) values ('run-ended:webhooks', ${String(rows[0]?.key).slice('run:'.length)}, ${payload}::jsonb)`,
    )
    await lab.wait(async () => {
      const left = await lab.db.execute(sql`select from jobs where queue = 'run-ended:webhooks'`)
      expect(left.rows).toEqual([])
    })
    await lab.settled(id, ['delivered'])
    await lab.arrived(path, 1)
  })
})
