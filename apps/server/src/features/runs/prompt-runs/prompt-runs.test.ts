import type { ExecutePromptReply, Prompt, PromptRun } from '@catenary/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { startApp, type TestUser } from '../../../testing/harness.ts'
import { type Library, startLibrary } from '../../../testing/library.ts'
import { sendAsForm } from '../../../testing/send-as-form.ts'

describe.each(routeDatabaseKinds)('running prompts on %s', (kind) => {
  let library: Library
  let prompt: Prompt
  beforeAll(async () => {
    library = await startLibrary(kind)
    await library.createVariable(library.owner, { name: 'tone', content: 'warm' })
    prompt = await library.createPrompt(library.owner, { isPublic: true })
  })
  afterAll(() => library.close())

  const run = ({ as, ...body }: { as?: TestUser | undefined } & Record<string, unknown>) =>
    sendAsForm(library, {
      method: 'POST',
      url: '/api/execute-prompt',
      body: { promptId: prompt.id, ...body },
      as,
    })
  const history = async ({ as, query = '' }: { as: TestUser; query?: string }) =>
    (await library.request({ url: `/api/prompts/${prompt.id}/executions${query}`, as })).body as PromptRun[]
  afterEach(async () => {
    await library.db.delete(runs)
  })

  test('The reply of a run has result, model, error and details. Entries of the history have all their fields.', async () => {
    const { owner } = library
    const reply = await run({
      as: owner,
      model: 'gemini',
      variables: { customer: 'Ada' },
      userInput: 'In one line.',
      systemPrompt: 'Be kind.',
    })
    expect(reply.status, reply.text).toBe(200)
    const done = reply.body as ExecutePromptReply
    expect(done).toMatchObject({ model: 'gemini', provider: 'sandbox', modelId: 'sandbox', costUsd: 0 })
    expect(done.result).toMatch(/^\[sandbox\]/)
    expect(done.result).toContain('Write a warm welcome for Ada.')
    expect(done.inputTokens).toBeGreaterThan(0)
    expect(done.durationMs).toBeGreaterThanOrEqual(0)
    const { executionId, result, ...usage } = done
    expect(await history({ as: owner })).toEqual([
      {
        ...usage,
        id: executionId,
        promptId: prompt.id,
        promptVersion: 1,
        status: 'completed',
        executedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        template: null,
        variableValues: { customer: 'Ada' },
        attachments: [],
        executedPromptContent: 'Write a warm welcome for Ada.',
        userInput: 'In one line.',
        systemPrompt: 'Be kind.',
        aiResponse: result,
        error: null,
        executedBy: 'Olga',
        ...{ sight: 'own', usesPrivateValues: true, sharing: 'none' },
      },
    ])
  })

  test('typed values go before stored ones, inserted text is never scanned again, unknown references stay', async () => {
    const { owner } = library
    await run({ as: owner, variableValues: { tone: '$<customer>' } })
    expect((await history({ as: owner }))[0]?.executedPromptContent).toBe(
      'Write a $<customer> welcome for $<customer>.',
    )
  })

  test('Dialog and page take an editable copy, which the library does not keep.', async () => {
    const { owner } = library
    await run({ as: owner, template: 'Be $<tone>.' })
    await run({ as: owner, processedContent: 'Stay $<tone>.' })
    const [processed, edited] = await history({ as: owner })
    expect([edited?.executedPromptContent, edited?.template]).toEqual(['Be warm.', 'Be $<tone>.'])
    expect([processed?.executedPromptContent, processed?.template]).toEqual(['Stay $<tone>.', null])
  })

  test('A reference resolves among the variables of the person who runs (D22).', async () => {
    await library.createVariable(library.other, { name: 'TONE', content: 'cool' })
    await run({ as: library.other })
    expect((await history({ as: library.other }))[0]?.executedPromptContent).toBe(
      'Write a cool welcome for $<customer>.',
    )
  })

  test('A run needs an active prompt and canExecute.', async () => {
    const { owner, other, admin, createPrompt } = library
    const secret = await createPrompt(owner)
    const inactive = await createPrompt(owner, { isActive: false })
    const cases = [
      { body: {}, as: undefined, status: 401, error: 'Please log in' },
      { body: { promptId: secret.id }, as: other, status: 404, error: 'Prompt not found' },
      { body: { promptId: secret.id }, as: admin, status: 404, error: 'Prompt not found' },
      { body: { promptId: 2_147_483_647 }, as: owner, status: 404, error: 'Prompt not found' },
      {
        body: { promptId: inactive.id },
        as: owner,
        status: 409,
        error: 'This prompt is inactive. Activate it to execute it.',
      },
      { body: { promptId: 2_147_483_648 }, as: owner, status: 400 },
      { body: { model: 'llama' }, as: owner, status: 400 },
      { body: { variables: { 'a-b': 'x' } }, as: owner, status: 400 },
      { body: { userId: 1 }, as: owner, status: 400, error: 'Unrecognized key: "userId"' },
    ]
    for (const { body, as, status, error } of cases) {
      const reply = await run({ ...body, as })
      expect(reply.status, reply.text).toBe(status)
      if (error !== undefined) expect(reply.body).toMatchObject({ error })
    }
    expect(await library.db.select().from(runs)).toEqual([])
  })

  test('An execute request can be read in two ways (D27).', async () => {
    const { owner, other, admin } = library
    await run({ as: owner })
    await run({ as: other })
    const names = async (as: TestUser) => (await history({ as })).map(({ executedBy }) => executedBy)
    expect(await names(owner)).toEqual(['Olga'])
    expect(await names(other)).toEqual(['Oskar'])
    expect(await names(admin)).toEqual(['Oskar', 'Olga'])
    const sameList = await library.request({ url: `/api/executions?promptId=${prompt.id}`, as: owner })
    expect(sameList.body).toEqual(await history({ as: owner }))
    expect((await library.request({ url: `/api/prompts/${prompt.id}/executions` })).status).toBe(401)
  })

  test('GET /api/prompts/{id}/executions and /api/executions list runs.', async () => {
    const { owner } = library
    for (let round = 0; round < 3; round += 1) await run({ as: owner })
    const all = await history({ as: owner })
    const first = await history({ as: owner, query: '?limit=2' })
    const second = await history({ as: owner, query: `?limit=2&before=${first[1]?.id}` })
    expect([...first, ...second]).toEqual(all)
    expect(all).toHaveLength(3)
  })

  test('DELETE /api/executions/{id} deletes a run.', async () => {
    const { owner, other, admin } = library
    await run({ as: owner })
    await run({ as: owner })
    await run({ as: other })
    const [id] = (await history({ as: owner })).map((execution) => execution.id)
    const remove = async (url: string, as?: TestUser) =>
      (await library.request({ method: 'DELETE', url, as })).status
    expect(await remove(`/api/executions/${id}`)).toBe(401)
    expect(await remove(`/api/executions/${id}`, other)).toBe(404)
    expect(await remove(`/api/executions/${id}`, owner)).toBe(204)
    expect(await remove(`/api/executions/${id}`, owner)).toBe(404)
    expect(await remove(`/api/prompts/${prompt.id}/executions`, owner)).toBe(204)
    expect((await history({ as: admin })).map(({ executedBy }) => executedBy)).toEqual(['Oskar'])
    const [left] = await history({ as: admin })
    expect(await remove(`/api/executions/${left?.id}`, admin)).toBe(403)
    expect(await remove(`/api/executions/${left?.id}`, other)).toBe(204)
  })

  test('runs are limited a minute for each person, with the time to wait', async () => {
    // What the tests before counted for the same person.
    await library.client.pool.query('delete from rate_windows')
    const app = await startApp({ database: { client: library.client }, settings: { runsPerMinute: 2 } })
    const body = { promptId: prompt.id, fills: ['tone'] }
    const start = (as: TestUser) => app.request({ method: 'POST', url: '/api/execute-prompt', body, as })
    expect([(await start(library.owner)).status, (await start(library.owner)).status]).toEqual([200, 200])
    const refused = await start(library.owner)
    expect([refused.status, refused.body]).toEqual([
      429,
      { error: expect.stringMatching(/^Too many requests/) },
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await start(library.other)).status).toBe(200)
    await app.close()
  })

  test('a run whose process is gone is marked as failed by the next one that starts', async () => {
    const { owner } = library
    await run({ as: owner })
    await library.db.update(runs).set({ status: 'running', leaseUntil: new Date(Date.now() - 1) })
    const next = await startApp({ database: { client: library.client } })
    await next.close()
    expect((await history({ as: owner }))[0]).toMatchObject({
      status: 'failed',
      error: 'The server stopped before the answer was complete. Run it again.',
    })
  })
})
