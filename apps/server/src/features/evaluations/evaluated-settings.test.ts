import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type EvaluationLab, on, startEvaluationLab, wordCases } from '../../testing/evaluations.ts'

/** As they were before prompts and steps had settings: results from then are still reused. */
const BEFORE = {
  prompt: '/sZMcV06u1cb3sqxfaaztP98mdCum/LbO+LEVyM1qzc=',
  chain: 'IAwRWdILLbVU+SbAgNnnl1VjnxaQWY5wFkAXRNIfFGc=',
}

describe.each(routeDatabaseKinds)('evaluations of settings, on %s', (kind) => {
  let lab: EvaluationLab
  beforeAll(async () => {
    lab = await startEvaluationLab(kind)
  })
  afterAll(() => lab.close())

  const hashesOf = async (id: number) => {
    const { rows } = await lab.db.execute<{ hash: string }>(
      sql`select hash from evaluation_cells where evaluation_id = ${id}`,
    )
    return rows.map(({ hash }) => hash)
  }

  test('what has no settings keeps the hash that it had before there were any', async () => {
    const prompt = await lab.makePrompt(1)
    const ofPrompt = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, wordCases(['one']))
    const first = await lab.evaluate({ suiteId: ofPrompt.id, targets: [on(1, 'openai')], reuse: true })
    await lab.settled(first.id)
    const { id: chainId } = await lab.createChain(lab.owner)
    const step = { content: 'Say $<word>.', outputVariableName: 'said', systemPrompt: 'Be brief.' }
    await lab.createStep(lab.owner, chainId, { ...step, model: 'openai' })
    const chain = await lab.send<{ version: number }>('GET', `/api/chains/${chainId}`)
    const ofChain = await lab.makeSuite({ kind: 'chain', id: chainId }, wordCases(['one']))
    const second = await lab.evaluate({
      suiteId: ofChain.id,
      targets: [on(chain.version, null)],
      reuse: true,
    })
    await lab.settled(second.id)
    const [inPrompt] = await hashesOf(first.id)
    const [inChain] = await hashesOf(second.id)
    expect({ prompt: inPrompt, chain: inChain }).toEqual(BEFORE)
  })

  test('another setting is another result, the same again is reused', async () => {
    const { id, title, content, categoryId } = await lab.makePrompt(1)
    const save = (fields: object) =>
      lab.send('PUT', `/api/prompts/${id}`, { body: { title, content, categoryId, ...fields } })
    await save({ systemPrompt: 'Be brief.' })
    await save({ systemPrompt: 'Be kind.' })
    await save({ systemPrompt: 'Be brief.', model: 'gemini' })
    const suite = await lab.makeSuite({ kind: 'prompt', id }, wordCases(['one']))
    const wanted = (version: number) => ({ suiteId: suite.id, targets: [on(version, 'openai')], reuse: true })
    const first = await lab.evaluate(wanted(2))
    await lab.settled(first.id)
    expect((await lab.estimate(wanted(2))).reused).toBe(1)
    expect((await lab.estimate(wanted(1))).reused).toBe(0)
    expect((await lab.estimate(wanted(3))).reused).toBe(0)
    // The target names its model, so the prompt's own makes no difference.
    expect((await lab.estimate(wanted(4))).reused).toBe(1)
  })

  test('when a step runs, and what it hands on otherwise, is part of a result; so is what its condition reads', async () => {
    const mood = await lab.createVariable(lab.owner, { name: 'mood', content: 'calm' })
    const { id } = await lab.createChain(lab.owner)
    const step = { content: 'Say $<word>.', outputVariableName: 'said', model: 'openai' }
    const { id: stepId } = await lab.createStep(lab.owner, id, step)
    const suite = await lab.makeSuite({ kind: 'chain', id }, wordCases(['one']))
    const now = async () => {
      const { version } = await lab.send<{ version: number }>('GET', `/api/chains/${id}`)
      return { suiteId: suite.id, targets: [on(version, null)], reuse: true }
    }
    const evaluate = async () => lab.settled((await lab.evaluate(await now())).id)
    const reused = async () => (await lab.estimate(await now())).reused
    await evaluate()
    expect(await reused()).toBe(1)
    for (const body of [
      { onlyIf: { all: [{ ref: 'mood', op: 'is', value: 'calm' }] } },
      { default: 'nothing' },
      { ifItFails: 'go_on' },
      { forEach: { list: 'mood' } },
    ]) {
      await lab.send('PATCH', `/api/chains/${id}/steps/${stepId}`, { body })
      expect([body, await reused()]).toEqual([body, 0])
    }
    await evaluate()
    expect(await reused()).toBe(1)
    const body = { name: 'mood', type: 'text', content: 'angry' }
    await lab.send('PATCH', `/api/variables/${mood.id}`, { body })
    expect(await reused()).toBe(0)
  })
})
