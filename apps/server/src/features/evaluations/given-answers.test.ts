import type { TestCase } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeStepAsk } from '../../testing/asks.ts'
import { type EvaluationLab, on, prices, startEvaluationLab, statusesOf } from '../../testing/evaluations.ts'
import { toolStep } from '../../testing/fake-service.ts'
import { makeMailTool } from '../../testing/step-tools.ts'

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

test('A test sends no email: what would have become of it is given.', async () => {
  const { id, version } = await lab.buildChain([
    { kind: 'tool', title: 'Tell', content: '', tool: makeMailTool() },
    'Say {{a.subject}}',
  ])
  const assertions = [{ type: 'contains', value: 'Order' }]
  const suite = await lab.makeSuite({ kind: 'chain', id }, [
    { name: 'Given', input: 'x', given: { a: '{"subject": "Order"}' }, assertions },
    { name: 'Missing', input: 'x', assertions },
  ])
  lab.fake.replyByDefault(({ body }) => ({ text: JSON.stringify(body) }))
  const started = await lab.evaluate({ suiteId: suite.id, targets: [on(version, null)] })
  const settled = await lab.settled(started.id)
  expect(statusesOf(settled)).toEqual(['passed', 'not-run'])
  expect(settled.cells[1]?.reason).toBe('Step 1 sends an email, and the test has no answer for {{a}}.')
})

test('A test calls no service: what it would have answered is given, also for all items of a list.', async () => {
  const answer = { as: 'json' }
  const forEach = { list: 'input', as: 'item', max: 5, atOnce: 1, onFailure: 'stop', result: 'json' }
  const { id, version } = await lab.buildChain([
    toolStep({ url: 'https://shop.example.org/{{input}}', answer }),
    toolStep({ url: 'https://shop.example.org/{{item}}', answer }, { forEach }),
    'Say {{a.order}} {{b}}',
  ])
  const assertions = [{ type: 'contains', value: '7' }]
  const suite = await lab.makeSuite({ kind: 'chain', id }, [
    { name: 'Given', input: '..', given: { a: '{"order": 7}', b: '[1,2]' }, assertions },
    { name: 'One is missing', given: { a: '{"order": 7}' }, assertions },
  ])
  lab.fake.replyByDefault(({ body }) => ({ text: JSON.stringify(body) }))
  const before = lab.sent().length
  const started = await lab.evaluate({ suiteId: suite.id, targets: [on(version, null)] })
  const settled = await lab.settled(started.id)
  expect(statusesOf(settled)).toEqual(['passed', 'not-run'])
  expect(settled.cells[1]?.reason).toBe('Step 2 calls a service, and the test has no answer for {{b}}.')
  expect(lab.sent().slice(before)).toEqual(['Say 7 [1,2]'])
})
