import type { StopsWhenCut } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { json } from '../../../testing/fake-providers/wire-case.ts'
import { OWN_TEXTS_ONLY } from '../../records/consent.ts'
import { startChainRun } from './start-run.ts'

/** As an OpenAI-compatible server answers; the reason is one that nobody knows. */
const unknownEnd = json({
  model: 'm',
  choices: [{ message: { content: 'The capital of Fra' }, finish_reason: 'of_2031' }],
  usage: { prompt_tokens: 5, completion_tokens: 3 },
})
const HALF = { text: 'The capital of Fra', finish: 'length' } as const

describe.each(routeDatabaseKinds)('a chain with an answer that is cut off, on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const buildChain = (stopsWhenCut?: StopsWhenCut) =>
    library.buildChain(['one', 'Go on: {{a}}'], { stopsWhenCut })
  const start = async (chainId: number, trigger: 'manual' | 'schedule' | 'token') => {
    const { user } = library.owner
    const handle = await startChainRun(library.app.ctx, { user, allowed: OWN_TEXTS_ONLY, chainId, trigger })
    return { run: await library.ended(handle.id), outcome: await handle.outcome }
  }

  test.each([
    ['manual', undefined],
    ['manual', 'unwatched'],
    ['schedule', 'never'],
    ['token', 'never'],
  ] as const)(
    'An answer that is cut, or ended for an unknown reason, is marked in step, run, mail, webhook and compatible reply (D71). (%s, %s)',
    async (trigger, stops) => {
      library.fake.reply(HALF)
      const chain = await buildChain(stops)
      const { run, outcome } = await start(chain.id, trigger)
      const cut = { cut: true, finishReason: 'length' }
      expect(run).toMatchObject({ status: 'completed', cutSteps: 1, ...cut })
      expect(run.steps[0]).toMatchObject(cut)
      expect(run.steps[1]).not.toHaveProperty('cut')
      // So is what a caller is answered.
      expect(outcome).toMatchObject({ status: 'completed', answer: { finishReason: 'length' } })
    },
  )

  test.each([
    ['manual', 'always'],
    ['schedule', undefined],
    ['token', 'unwatched'],
  ] as const)(
    'A chain chooses which runs stop at a step whose answer is cut; for schedules and tokens that is on. The answer is kept (D71). (%s, %s)',
    async (trigger, stops) => {
      library.fake.reply({ ...HALF, inputTokens: 5, outputTokens: 3 })
      const chain = await buildChain(stops)
      const { run } = await start(chain.id, trigger)
      expect(run).toMatchObject({
        status: 'failed',
        errorCode: 'answer_cut',
        canResume: true,
        completedSteps: 0,
      })
      expect(library.fake.journal).toHaveLength(1)
      expect(run.steps[0]).toMatchObject({
        ...{ status: 'failed', aiResponse: HALF.text, cut: true, finishReason: 'length' },
        ...{ inputTokens: 5, outputTokens: 3 },
        error: expect.stringContaining('cut off at the model’s token limit'),
      })
      await library.request({ method: 'POST', url: `/api/executions/${run.id}/resume`, as: library.owner })
      expect(await library.ended(run.id)).toMatchObject({ status: 'completed', cutSteps: 0 })
    },
  )

  test('an end that nobody knows is marked as unknown, and stops it too', async () => {
    library.fake.replyByDefault(unknownEnd)
    const goesOn = await buildChain('never')
    const marked = { cut: true, finishReason: 'unknown' }
    const { run } = await start(goesOn.id, 'schedule')
    expect(run).toMatchObject({ status: 'completed', cutSteps: 2, ...marked })
    expect(run.steps).toMatchObject([marked, marked])
    const stops = await buildChain('always')
    expect((await start(stops.id, 'manual')).run).toMatchObject({ status: 'failed', ...marked })
  })

  test('the last answer stops nothing: nothing would go on with it', async () => {
    library.fake.reply({ text: 'whole' }, HALF)
    const chain = await buildChain('always')
    const { run } = await start(chain.id, 'manual')
    expect(run).toMatchObject({ status: 'completed', output: HALF.text, cut: true })
  })
})
