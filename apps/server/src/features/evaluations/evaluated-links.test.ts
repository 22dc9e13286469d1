import type { Chain } from '@catenary/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import {
  type EvaluationLab,
  on,
  startEvaluationLab,
  statusesOf,
  wordCases,
} from '../../testing/evaluations.ts'
import { labelsOf } from '../../testing/version-labels.ts'

const wordsOf = (length: number) => Array.from({ length }, (_, index) => `word-${index}`)
/** More than run at once, and more than twice as many. */
const [WORDS, MANY_WORDS] = [wordsOf(12), wordsOf(24)]

describe.each(routeDatabaseKinds)('evaluations of chains with linked steps on %s', (kind) => {
  let lab: EvaluationLab
  beforeAll(async () => {
    lab = await startEvaluationLab(kind, {}, { modelCallsAtOnce: 8 })
  })
  afterAll(() => lab.close())
  afterEach(() => lab.fake.reset())

  /** A chain with one step that runs a prompt's label `production`, which holds the first of two versions. */
  async function prepare(words = WORDS) {
    const prompt = await lab.makePrompt(2)
    const prompts = labelsOf(lab, 'prompt')
    await prompts.moved(prompt.id, { label: 'production', version: 1 })
    const { id } = await lab.createChain(lab.owner)
    await lab.createStep(lab.owner, id, { promptId: prompt.id, promptLabel: 'production' })
    const chain = await lab.send<Chain>('GET', `/api/chains/${id}`)
    const suite = await lab.makeSuite({ kind: 'chain', id }, wordCases(words))
    const wanted = { suiteId: suite.id, targets: [on(chain.version, null)], reuse: true }
    const move = (from: number, to: number) =>
      prompts.moved(prompt.id, { label: 'production', version: to, expectedVersion: from })
    return { prompt, chain, wanted, move }
  }

  /** Has the model answer what it is asked from now on once it is released. */
  function holdLater() {
    const hold = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    lab.fake.replyByDefault(({ body }) => {
      reached.resolve()
      return { text: JSON.stringify(body), beforeAnyByte: () => hold.promise }
    })
    return { release: () => hold.resolve(), isReached: () => reached.promise }
  }

  /** Starts it, and goes on once calls wait at the model. */
  async function evaluateHeld(wanted: Parameters<EvaluationLab['evaluate']>[0]) {
    const { release, isReached } = holdLater()
    const { id } = await lab.evaluate(wanted)
    await isReached()
    return { id, release }
  }

  test('What a chain’s links lead to is fixed at the start: a label that moves changes no result.', async () => {
    const { wanted, move } = await prepare()
    const { id, release } = await evaluateHeld(wanted)
    await move(1, 2)
    release()
    const ended = await lab.settled(id)
    expect(statusesOf(ended)).toEqual(WORDS.map(() => 'passed'))
    expect(lab.sent().toSorted()).toEqual(WORDS.map((word) => `v1 ${word}`).toSorted())
    const run = await lab.ended(ended.cells.at(-1)?.executionId ?? 0)
    expect(run.steps).toMatchObject([{ promptVersion: 1 }])
    expect((await lab.estimate(wanted)).reused).toBe(0)
    await move(2, 1)
    expect((await lab.estimate(wanted)).reused).toBe(WORDS.length)
  })

  test('a linked version that is deleted while it runs stops it, and no other text takes its place', async () => {
    const { prompt, wanted, move } = await prepare(MANY_WORDS)
    const { id, release } = await evaluateHeld(wanted)
    await move(1, 2)
    // Cells that begin after the move keep the version in memory.
    const { release: releaseLater, isReached } = holdLater()
    release()
    await isReached()
    await lab.send('DELETE', `/api/prompts/${prompt.id}/versions/1`, { status: 204 })
    releaseLater()
    expect(await lab.settled(id)).toMatchObject({
      status: 'stopped',
      stopReason:
        'Step 1 runs version 1 of its prompt, which no longer exists. Choose another one in the step.',
    })
    for (const text of lab.sent()) expect(text).toMatch(/^v1 /)
  })

  test('a result depends on the settings of its step', async () => {
    const { chain, wanted } = await prepare(['one'])
    lab.fake.replyByDefault({ text: 'one' })
    await lab.settled((await lab.evaluate(wanted)).id)
    expect((await lab.estimate(wanted)).reused).toBe(1)
    const url = `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`
    const changes = [
      { temperature: 0.5 },
      { maxTokens: 9 },
      { fallbackModel: 'claude' },
      { moreFallbackModels: ['gemini'] },
    ]
    for (const body of changes) {
      expect((await lab.request({ method: 'PATCH', url, body, as: lab.owner })).status).toBe(200)
      const { version } = await lab.send<Chain>('GET', `/api/chains/${chain.id}`)
      const changed = { ...wanted, targets: [on(version, null)] }
      expect((await lab.estimate(changed)).reused).toBe(0)
      await lab.settled((await lab.evaluate(changed)).id)
    }
  })

  test('the failed run of a cell resumes with the steps of its version', async () => {
    const { chain, wanted } = await prepare(['one'])
    lab.fake.reply({ status: 400, message: 'no such thing' })
    const ended = await lab.settled((await lab.evaluate(wanted)).id)
    const url = `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`
    const body = { promptId: null, content: 'Later text' }
    expect((await lab.request({ method: 'PATCH', url, body, as: lab.owner })).status).toBe(200)
    const run = ended.cells[0]?.executionId ?? 0
    await lab.send('POST', `/api/executions/${run}/resume`, { status: 200 })
    expect((await lab.ended(run)).status).toBe('completed')
    expect(lab.sent()).toEqual(['v1 one', 'v1 one'])
  })
})
