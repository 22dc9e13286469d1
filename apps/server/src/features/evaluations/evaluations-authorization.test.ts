import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type EvaluationLab, startEvaluationLab, wordCases } from '../../testing/evaluations.ts'
import type { TestUser } from '../../testing/harness.ts'

type Person = 'guest' | 'disabled' | 'other' | 'viewer' | 'editor' | 'owner' | 'admin' | 'starter'

/** For a private prompt shared with a viewer, an editor and the person who started the evaluation. */
const MATRIX: Record<Person, Record<string, number>> = {
  guest: {
    estimate: 401,
    start: 401,
    list: 401,
    versions: 401,
    seeRunning: 401,
    see: 401,
    stop: 401,
    resume: 401,
    delete: 401,
  },
  disabled: {
    estimate: 401,
    start: 401,
    list: 401,
    versions: 401,
    seeRunning: 401,
    see: 401,
    stop: 401,
    resume: 401,
    delete: 401,
  },
  other: {
    estimate: 404,
    start: 404,
    list: 404,
    versions: 404,
    seeRunning: 404,
    see: 404,
    stop: 404,
    resume: 404,
    delete: 404,
  },
  viewer: {
    estimate: 200,
    start: 201,
    list: 0,
    versions: 0,
    seeRunning: 404,
    see: 200,
    stop: 404,
    resume: 404,
    delete: 403,
  },
  editor: {
    estimate: 200,
    start: 201,
    list: 2,
    versions: 1,
    seeRunning: 200,
    see: 200,
    stop: 200,
    resume: 403,
    delete: 403,
  },
  owner: {
    estimate: 200,
    start: 201,
    list: 2,
    versions: 1,
    seeRunning: 200,
    see: 200,
    stop: 200,
    resume: 403,
    delete: 403,
  },
  // A private prompt of others is out of an admin's sight.
  admin: {
    estimate: 404,
    start: 404,
    list: 404,
    versions: 404,
    seeRunning: 404,
    see: 404,
    stop: 404,
    resume: 404,
    delete: 404,
  },
  starter: {
    estimate: 200,
    start: 201,
    list: 2,
    versions: 1,
    seeRunning: 200,
    see: 200,
    stop: 200,
    resume: 409,
    delete: 204,
  },
}

describe.each(routeDatabaseKinds)('who may do what with an evaluation on %s', (kind) => {
  let lab: EvaluationLab
  let people: Record<Person, TestUser | undefined>
  let suiteId: number
  let promptId: number
  let hold = Promise.withResolvers<void>()
  beforeAll(async () => {
    lab = await startEvaluationLab(kind)
    const { owner, other, admin } = lab
    const [viewer, editor, starter, disabled] = await Promise.all(
      ['Vera', 'Edgar', 'Stella', 'Dora'].map((username) => lab.registerUser({ username })),
    )
    people = { guest: undefined, disabled, other, viewer, editor, owner, admin, starter }
    const prompt = await lab.makePrompt(1)
    const body = [
      { username: 'Vera', role: 'viewer' },
      { username: 'Edgar', role: 'editor' },
      { username: 'Stella', role: 'viewer' },
      { username: 'Dora', role: 'editor' },
    ]
    await lab.send('PUT', `/api/prompts/${prompt.id}/shares`, { body })
    promptId = prompt.id
    suiteId = (await lab.makeSuite({ kind: 'prompt', id: promptId }, wordCases(['a']))).id
    const url = `/api/admin/users/${disabled?.user.id}`
    await lab.request({ method: 'PATCH', url, body: { disabled: true }, as: admin })
  })
  afterAll(async () => {
    hold.resolve()
    await lab.close()
  })

  const targets = [{ version: 1, model: 'openai' as const }]
  /** One that is complete, and one under way. */
  const startTwo = async () => {
    lab.fake.reset()
    lab.fake.replyByDefault({ text: 'a' })
    const complete = await lab.settled(
      (await lab.evaluate({ suiteId, targets }, people.starter)).id,
      people.starter,
    )
    hold = Promise.withResolvers<void>()
    lab.fake.replyByDefault({ text: 'a', beforeAnyByte: () => hold.promise })
    const running = await lab.evaluate({ suiteId, targets }, people.starter)
    return { complete, running }
  }
  const clear = async () => {
    hold.resolve()
    await lab.db.execute('delete from evaluations')
  }

  test.each(Object.entries(MATRIX) as [Person, Record<string, number>][])(
    'Each role starts, sees, stops, resumes and deletes what it may. (%s)',
    async (person, verdicts) => {
      const as = people[person]
      const { complete, running } = await startTwo()
      const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
        (await lab.request({ method, url: `/api/evaluations${path}`, body, as })).status
      const count = async (path: string) => {
        const { status, body } = await lab.request({
          url: `/api/evaluations${path}?promptId=${promptId}`,
          as,
        })
        return status === 200 ? (body as unknown[]).length : status
      }
      const found: Record<string, number> = {
        list: await count(''),
        versions: await count('/versions'),
        seeRunning: await ask('GET', `/${running.id}`),
        see: await ask('GET', `/${complete.id}`),
        estimate: await ask('POST', '/estimate', { suiteId, targets }),
        start: await ask('POST', '', { suiteId, targets, ceilingUsd: 1 }),
        resume: await ask('POST', `/${running.id}/resume`),
        stop: await ask('POST', `/${running.id}/stop`),
        delete: await ask('DELETE', `/${complete.id}`),
      }
      expect(found).toEqual(verdicts)
      await clear()
    },
  )

  test('only the person who ran a cell can open its run; everyone who sees the evaluation can open its result', async () => {
    const { complete } = await startTwo()
    const cellOf = async (as: TestUser | undefined) =>
      (await lab.find(complete.id, as)).cells[0]?.executionId ?? null
    expect(await cellOf(people.starter)).toBeGreaterThan(0)
    expect(await cellOf(people.owner)).toBeNull()
    const url = `/api/evaluations/${complete.id}/cells/0/0`
    const statuses = await Promise.all(
      [people.owner, people.viewer, people.other].map(async (as) => (await lab.request({ url, as })).status),
    )
    expect(statuses).toEqual([200, 200, 404])
    await clear()
  })

  test('people who lose access to the prompt lose its evaluations, their own included', async () => {
    const { complete } = await startTwo()
    await lab.send('PUT', `/api/prompts/${promptId}/shares`, { body: [] })
    for (const as of [people.starter, people.viewer, people.editor])
      expect((await lab.request({ url: `/api/evaluations/${complete.id}`, as })).status).toBe(404)
  })
})
