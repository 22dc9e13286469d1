import type { Ask } from '@catenary/contracts'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { activity, runSteps } from '../../../database/schema/index.ts'
import { makeStepAsk } from '../../../testing/asks.ts'
import { databaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestApp } from '../../../testing/harness.ts'

const PEOPLE = 40

describe.each(databaseKinds)('a crowd that answers, on %s', (kind) => {
  let library: Gateway
  let other: TestApp
  beforeAll(async () => {
    library = await startGateway(kind)
    other = await library.startProcess()
    await other.app.start()
  })
  afterAll(async () => {
    await other.close()
    await library.close()
  })

  test('Of forty people who answer at once at two processes one counts, and the others are told who it was.', async () => {
    const people = []
    for (let index = 0; index < PEOPLE; index += 1) people.push(await library.registerUser())
    const ask = makeStepAsk({ role: 'viewer' })
    const step = { kind: 'ask', title: 'Approve', content: '', ask }
    const chain = await library.buildChain([step, 'Send {{a.by}}.'], { sharedLevel: 'shared' })
    const shares = people.map(({ user }) => ({ username: user.username, role: 'viewer' }))
    const url = `/api/chains/${chain.id}/shares`
    await library.request({ method: 'PUT', url, body: shares, as: library.owner })
    library.fake.replyByDefault({ text: 'Sent' })
    const run = await library.execute(chain.id, { input: 'Dear Halden' })
    const id = await vi.waitFor(async () => {
      const { waitingFor } = await library.status(run)
      return waitingFor?.askId ?? expect.fail('it does not wait')
    })

    const replies = await Promise.all(
      people.map((as, index) =>
        (index % 2 ? library : other).request({
          ...{ method: 'POST', url: `/api/asks/${id}/answer`, as },
          body: { decision: 'approve', reason: `${index}` },
        }),
      ),
    )
    const [first, ...more] = replies.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    const { by, reason } = (first ?? expect.fail('nobody counted')).body as Ask
    expect(people[Number(reason)]?.user.username).toBe(by)
    const late = replies.filter(({ status }) => status === 409)
    expect(late).toHaveLength(PEOPLE - 1)
    for (const { body } of late) expect(body).toMatchObject({ details: { decision: 'approve', reason, by } })

    expect((await library.ended(run)).output).toBe('Sent')
    expect(library.sent()).toEqual([`Send ${by}.`])
    const isAsk = and(eq(runSteps.executionId, run), eq(runSteps.position, 0))
    expect(await library.db.$count(runSteps, isAsk)).toBe(1)
    const isAnswer = and(eq(activity.kind, 'ask.answered'), eq(activity.objectId, id))
    expect(await library.db.$count(activity, isAnswer)).toBe(1)
  })
})
