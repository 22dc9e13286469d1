import type { TestCase } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeStepAsk } from '../../testing/asks.ts'
import { type EvaluationLab, on, prices, startEvaluationLab, statusesOf } from '../../testing/evaluations.ts'

let lab: EvaluationLab
beforeAll(async () => {
  lab = await startEvaluationLab('embedded', { prices })
})
afterAll(() => lab.close())

test('A test asks nobody: what people would have answered is given, or it is not run and says why.', async () => {
  const ask = makeStepAsk({ people: [lab.owner.user.username], text: 'Hello' })
  const { id, version } = await lab.buildChain([
    { kind: 'ask', content: '', ask },
    'Say {{a.text}} {{a.decision}}',
  ])
  const assertions = [{ type: 'contains', value: 'approve' }]
  const suite = await lab.makeSuite({ kind: 'chain', id }, [
    { name: 'Given', given: { a: 'approve' }, assertions },
    { name: 'Rejected', given: { a: 'reject' }, assertions },
    { name: 'Not given', assertions },
  ])
  expect(suite.cases.map(({ given }: TestCase) => given)).toEqual([
    { a: 'approve' },
    { a: 'reject' },
    undefined,
  ])
  lab.fake.replyByDefault(({ body }) => ({ text: JSON.stringify(body) }))
  const started = await lab.evaluate({ suiteId: suite.id, targets: [on(version, null)] })
  const settled = await lab.settled(started.id)
  expect(statusesOf(settled)).toEqual(['passed', 'error', 'not-run'])
  expect(settled.cells[2]?.reason).toBe('Step 1 asks people, and the test has no answer for {{a}}.')
  expect(lab.sent()).toEqual(['Say Hello approve'])
  const asks = await lab.send('GET', '/api/asks')
  expect(asks).toEqual([])
})
