import type { Chain } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../../platform/models/retry.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { findOptionalRun } from '../history/runs.sql.ts'
import { lockEndedChainRun } from './chain-runs.sql.ts'

describe.each(routeDatabaseKinds)('a run that ends before its end, on %s', (kind) => {
  let library: ChainLibrary
  let chain: Chain
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(async () => {
    library.fake.reset()
    chain = await library.buildChain(['one', 'two {{a}}', 'three {{b}}', 'four {{c}}'], {
      sharedLevel: 'public',
    })
  })

  const call = async (id: number, action: 'cancel' | 'resume', as: TestUser = library.owner) =>
    library.request({ method: 'POST', url: `/api/executions/${id}/${action}`, as })
  const changeStep = (index: number, fields: object) =>
    library.request({
      method: 'PATCH',
      url: `/api/chains/${chain.id}/steps/${chain.steps[index]?.id}`,
      body: fields,
      as: library.owner,
    })
  /** A run whose third step the model refused. */
  const failedRun = async () => {
    library.fake.reply({ text: 'A' }, { text: 'B' }, { status: 400, message: 'no such thing' })
    const id = await library.execute(chain.id)
    expect(await library.ended(id)).toMatchObject({ status: 'failed', completedSteps: 2, canResume: true })
    return id
  }

  test('A failed run says why.', async () => {
    const run = await library.find(await failedRun())
    expect(run).toMatchObject({
      errorCode: 'model_rejected',
      error: expect.stringMatching(/400.*no such thing/),
    })
    expect(run).toMatchObject({ output: null, result: null, finishedAt: expect.any(String) })
    expect(run.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed', 'waiting'])
    expect(run.steps[2]).toMatchObject({ inputContent: 'three B', error: run.error, aiResponse: '' })
    expect(run.steps[3]).toMatchObject({ inputContent: null, executedAt: null })
  })

  test('A failed run resumes from the failed step.', async () => {
    const id = await failedRun()
    await changeStep(2, { content: 'mended {{b}} {{a}}' })
    await changeStep(0, { content: 'never asked again' })
    const resumed = await call(id, 'resume')
    expect([resumed.status, resumed.body]).toEqual([
      200,
      { id, chainId: chain.id, status: 'running', executedAt: expect.any(String) },
    ])
    const run = await library.ended(id)
    expect(run).toMatchObject({
      status: 'completed',
      completedSteps: 4,
      error: null,
      errorCode: null,
      canResume: false,
    })
    expect(library.sent()).toEqual([
      'one',
      'two A',
      'three B',
      'mended B A',
      expect.stringMatching(/^four Fake/),
    ])
    expect(run.steps[0]).toMatchObject({ inputContent: 'one', aiResponse: 'A' })
  })

  test('A failed run whose chain was changed goes on with the chain as it was.', async () => {
    const id = await failedRun()
    await changeStep(2, { content: 'not this' })
    const [first, second, third, fourth] = chain.steps.map((step) => step.id)
    const stepIds = [second, first, third, fourth]
    const url = `/api/chains/${chain.id}/reorder-steps`
    await library.request({ method: 'POST', url, body: { stepIds }, as: library.owner })
    await call(id, 'resume')
    await library.ended(id)
    expect(library.sent().slice(2, 4)).toEqual(['three B', 'three B'])
  })

  test('a chain whose other steps were removed is complete with what there is', async () => {
    const id = await failedRun()
    for (const step of chain.steps.slice(2))
      await library.request({
        method: 'DELETE',
        url: `/api/chains/${chain.id}/steps/${step.id}`,
        as: library.owner,
      })
    await call(id, 'resume')
    expect(await library.ended(id)).toMatchObject({ status: 'completed', output: 'B', stepCount: 2 })
    expect(library.fake.journal).toHaveLength(3)
  })

  test('only who started a run resumes it, and only once', async () => {
    const id = await failedRun()
    expect((await call(id, 'resume', library.other)).status).toBe(404)
    expect(await call(id, 'resume', library.admin)).toMatchObject({ status: 403 })
    const twice = await Promise.all([call(id, 'resume'), call(id, 'resume')])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
    await library.ended(id)
    expect(await call(id, 'resume')).toMatchObject({ status: 409, body: { error: 'This run is complete' } })
    expect(library.fake.journal).toHaveLength(5)
  })

  test('a press that looked at the run before it went on and failed again does not run it once more', async () => {
    const id = await failedRun()
    const attemptNow = async () => (await findOptionalRun(library.db, id))?.attempt ?? 0
    const attempt = await attemptNow()
    library.fake.reply({ status: 400, message: 'again' })
    await call(id, 'resume')
    expect((await library.ended(id)).status).toBe('failed')
    const lock = (seen: number) =>
      library.db.transaction((tx) => lockEndedChainRun(tx, { id, attempt: seen }))
    expect(await lock(attempt)).toBeUndefined()
    expect(await lock(await attemptNow())).toMatchObject({
      completed: [{ aiResponse: 'A' }, { aiResponse: 'B' }],
    })
  })

  test('A run can be stopped in a step, while it waits, and on another process.', async () => {
    library.fake.reply({ text: 'A' }, { text: ['half', ' more'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(2))
    await vi.waitFor(() => expect(library.fake.journal[1]?.bytesSent).toBeGreaterThan(300))
    expect((await call(id, 'cancel')).status).toBe(200)
    const run = await library.ended(id)
    expect(run).toMatchObject({ status: 'cancelled', completedSteps: 1, canResume: true })
    expect(run.steps[1]).toMatchObject({ status: 'cancelled', inputContent: 'two A' })
    await vi.waitFor(() => expect(library.fake.journal[1]?.state).toBe('closed-by-client'))
    expect(await call(id, 'cancel')).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    await call(id, 'resume')
    expect((await library.ended(id)).status).toBe('completed')
    expect(library.sent().slice(0, 3)).toEqual(['one', 'two A', 'two A'])
  })

  test('Deleting a run stops it first.', async () => {
    library.fake.reply({ text: ['half'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    const url = `/api/executions/${id}`
    expect((await library.request({ method: 'DELETE', url, as: library.other })).status).toBe(404)
    expect((await library.request({ method: 'DELETE', url, as: library.owner })).status).toBe(204)
    await vi.waitFor(() => expect(library.fake.journal[0]?.state).toBe('closed-by-client'))
    expect((await library.request({ url, as: library.owner })).status).toBe(404)
  })
})

describe('a step that is tried again', () => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary('embedded')
  })
  afterAll(() => library.close())
  beforeEach(() => {
    library.fake.reset()
    library.waits.length = 0
  })

  test('429, 5xx and failed connections are retried up to 3 times, and Retry-After is honoured (D30).', async () => {
    const chain = await library.buildChain(['one'])
    library.fake.reply({ status: 429, retryAfter: '7' }, { status: 500 }, { text: 'A' })
    const run = await library.ended(await library.execute(chain.id))
    expect(run.steps[0]).toMatchObject({ status: 'completed', retries: 2, aiResponse: 'A' })
    // Counted from when the provider asked, so less on a busy machine.
    expect(library.waits).toEqual([expect.closeTo(7_000, -3), 750])
  })

  test('a step fails after three retries, and tells how many there were', async () => {
    const chain = await library.buildChain(['one'])
    library.fake.replyByDefault({ status: 503 })
    const run = await library.ended(await library.execute(chain.id))
    expect(run).toMatchObject({ status: 'failed', errorCode: 'model_unavailable' })
    expect(run.steps[0]?.retries).toBe(3)
    expect(library.fake.journal).toHaveLength(4)
  })

  test('an answer that breaks off is requested again, and only the whole one counts', async () => {
    const chain = await library.buildChain(['one', 'two {{a}}'])
    library.fake.reply({ text: ['bro'], fault: 'reset' }, { text: 'whole' })
    const run = await library.ended(await library.execute(chain.id))
    expect(run.steps[0]).toMatchObject({ aiResponse: 'whole', retries: 1 })
    expect(library.sent()).toEqual(['one', 'one', 'two whole'])
  })

  test('a stop during the wait for another try takes effect at once', async () => {
    const slow = await startChainLibrary('embedded', { clock: systemClock })
    const chain = await slow.buildChain(['one'])
    slow.fake.replyByDefault({ status: 429, retryAfter: '25' })
    const id = await slow.execute(chain.id)
    await vi.waitFor(async () => expect((await slow.status(id)).steps[0]?.retries).toBe(1))
    await slow.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: slow.owner })
    expect(await slow.ended(id)).toMatchObject({ status: 'cancelled' })
    expect(slow.fake.journal).toHaveLength(1)
    await slow.close()
  })
})
