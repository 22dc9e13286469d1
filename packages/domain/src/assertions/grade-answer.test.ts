import type { Assertion, GradedAnswer } from '@catenary/contracts'
import { expect, test } from 'vitest'
import { describeAssertion, JUDGE_PROMPTS, suggestAssertions } from '../index.ts'
import {
  applyBest,
  bestRequest,
  doGrading,
  type GradedCase,
  type GradingTools,
  gradeAnswer,
  JudgeError,
  type JudgeRequest,
  readBest,
} from './index.ts'
import { rubricRequest } from './judge-request.ts'

const answer = (text: string): GradedAnswer => ({
  text,
  latencyMs: 1200,
  costUsd: 0.002,
  finishReason: 'length',
})
const tools: GradingTools = {
  gradeApart: async (task) => doGrading(task),
  judge: async () => '{"pass": true, "score": 1, "reason": "fine"}',
}
const grade = (assertions: Assertion[], text = 'Dear Ada', more: Partial<GradedCase & GradingTools> = {}) =>
  gradeAnswer({ assertions, threshold: null, values: {}, input: 'Hi', notRun: 0, ...more }, answer(text), {
    ...tools,
    ...more,
  })

test.each<[Assertion, string]>([
  [{ type: 'word-count', value: { max: 1 } }, '2 words, at most 1'],
  [{ type: 'word-count', value: 3 }, '2 words, exactly 3'],
  [{ type: 'equals', value: 'Dear Eva' }, 'It is “Dear Ada”, not “Dear Eva”'],
  [{ type: 'not-contains', value: 'Ada' }, 'It contains “Ada”'],
  [{ type: 'contains-all', value: ['Ada', 'Eva', 'Bob'] }, 'It does not contain “Eva”, “Bob”'],
  [{ type: 'not-icontains-any', value: 'ADA, eva' }, 'It contains “ADA”'],
  [{ type: 'starts-with', value: 'Hello' }, 'It starts with “Dear ”'],
  [
    { type: 'regex', value: '[' },
    'This is not a valid pattern: Invalid regular expression: /[/: Unterminated character class',
  ],
  [{ type: 'is-json' }, 'It is not valid JSON'],
  [{ type: 'contains-json', value: { type: 'nothing' } }, 'It contains no valid JSON'],
  [{ type: 'levenshtein', value: 'Dear Adam and Eva' }, '9 changed characters, at most 5'],
  [{ type: 'latency', threshold: 1000 }, '1,200 ms, at most 1,000 ms'],
  [{ type: 'cost', threshold: 0.001 }, '$0.0020, at most $0.0010'],
  [{ type: 'finish-reason', value: 'stop' }, 'The finish reason is “length”, not “stop”'],
])('Each grade has a reason in words. (%o)', async (assertion, reason) => {
  expect(await grade([assertion])).toMatchObject({ verdict: 'failed', score: 0, reason })
})

test.each<[Assertion, string, string]>([
  [{ type: 'equals', value: 49.9, path: 'refund' }, 'passed', 'All assertions passed'],
  [{ type: 'equals', value: 'x', path: 'items[0].title' }, 'passed', 'All assertions passed'],
  [{ type: 'equals', value: ['a'], path: 'tags' }, 'passed', 'All assertions passed'],
  [
    { type: 'contains', value: 'y', path: 'items[0].title' },
    'failed',
    'items[0].title: It does not contain “y”',
  ],
  [
    { type: 'not-contains', value: 'y', path: 'items[1].title' },
    'failed',
    'The answer has no field items[1].title',
  ],
  [{ type: 'is-json', value: { type: 'array' }, path: 'tags' }, 'passed', 'All assertions passed'],
])(
  'An assertion on a text may look at a field of an answer in JSON, by its path. (%j)',
  async (assertion, verdict, reason) => {
    const text = '{"refund": 49.9, "items": [{"title": "x"}], "tags": ["a"]}'
    expect(await grade([assertion], text)).toMatchObject({ verdict, reason })
  },
)

test('text has no fields, and an assertion on one says which it looks at', async () => {
  const assertion: Assertion = { type: 'not-equals', value: 1, path: 'refund' }
  expect((await grade([assertion], 'Hi')).reason).toBe('It is not valid JSON, so it has no fields')
  expect(describeAssertion(assertion)).toBe('refund: Is not “1”')
})

test('a schema’s problem is named', async () => {
  const value = { type: 'object', required: ['age'] }
  expect((await grade([{ type: 'is-json', value }], '{"name":"Ada"}')).reason).toBe(
    "It does not match the schema: it must have required property 'age'",
  )
  expect((await grade([{ type: 'not-is-json', value: { type: 'age' } }], '{}')).reason).toContain(
    'not a JSON schema',
  )
})

test('What can’t run here never passes.', async () => {
  expect(await grade([], '', { notRun: 2 })).toMatchObject({ verdict: 'not-run', score: 0, notRun: 2 })
  expect(await grade([{ type: 'llm-rubric', value: 'x' }], '', { judge: null })).toMatchObject({
    ...{ verdict: 'not-run', results: [{ passed: null }] },
  })
  expect(await grade([{ type: 'contains', value: 'Ada' }], 'Ada', { notRun: 1 })).toMatchObject({
    ...{ verdict: 'passed', score: 1, notRun: 1 },
  })
  expect(await grade([])).toMatchObject({ verdict: 'passed', score: 1, reason: 'No assertions' })
})

test('a judge that gives no reply fails the assertion, and its opposite', async () => {
  const judge = async () => {
    throw new JudgeError('The judge did not answer')
  }
  for (const type of ['llm-rubric', 'not-llm-rubric', 'not-factuality'] as const) {
    expect(await grade([{ type, value: 'x' }], '', { judge })).toMatchObject({
      ...{ verdict: 'failed', score: 0, reason: 'The judge did not answer' },
    })
  }
  const unclear = await grade([{ type: 'not-llm-rubric', value: 'x' }], '', { judge: async () => 'Hm.' })
  expect(unclear).toMatchObject({ verdict: 'failed', reason: 'The judge’s reply can’t be read: Hm.' })
})

test('the opposite of factuality is what its name says', async () => {
  const judge = async () => '{"category": "D"}'
  expect(await grade([{ type: 'not-factuality', value: 'x' }], '', { judge })).toMatchObject({
    ...{ verdict: 'passed', score: 1, results: [{ reason: 'It disagrees with what is expected' }] },
  })
})

test('the best of several passes, the others fail with 0', async () => {
  const best: Assertion = { type: 'select-best', value: 'kind' }
  const both = await grade([{ type: 'contains', value: 'Ada' }, best])
  expect(both).toMatchObject({ verdict: 'passed', score: 1, results: [{}, { passed: null }] })
  const alone = await grade([best])
  expect(alone.verdict).toBe('not-run')
  const [first, second] = readBest(best, { reply: 'Text 1 is it', count: 2 })
  if (first === undefined || second === undefined) throw new Error('There are two')
  expect(applyBest(both, second)).toMatchObject({
    verdict: 'passed',
    score: 1,
    results: [{}, { passed: true }],
  })
  expect(applyBest(both, first)).toMatchObject({
    verdict: 'failed',
    score: 0,
    reason: 'Another was chosen as the best: kind',
  })
  expect(applyBest(alone, second)).toMatchObject({ verdict: 'passed', score: 1 })
  expect(readBest(best, { reply: '7', count: 2 }).map(({ passed }) => passed)).toEqual([false, false])
})

test('A model-graded assertion asks with promptfoo’s words, which are shown and can be edited.', () => {
  const usual = rubricRequest(
    { type: 'llm-rubric', value: 'is {{ output }}' },
    { values: {}, input: 'Hi' },
    answer('{{ rubric }}'),
  )
  expect(usual.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(usual.messages[1]?.content).toBe(
    '<Output>\n{{ rubric }}\n</Output>\n<Rubric>\nis {{ output }}\n</Rubric>',
  )
  const own = rubricRequest(
    {
      type: 'factuality',
      value: 'Paris',
      rubricPrompt: '{{input}}|{{ideal}}|{{completion}}|{{who}}|{{none}}',
    },
    { values: { who: 'Ada' }, input: 'Capital?' },
    answer('{"b": 1,  "a": [2]}'),
  )
  expect(own.messages).toEqual([{ role: 'user', content: 'Capital?|Paris|{"b":1,"a":[2]}|Ada|' }])
  const compared: JudgeRequest = bestRequest(
    { type: 'select-best', value: 'kind' },
    { values: {}, outputs: ['one', 'two'] },
  )
  expect(compared.messages[0]?.content).toContain('<Text index="1">\ntwo\n</Text>')
})

test('the words of judges are shown as they are sent', () => {
  const { messages } = bestRequest(
    { type: 'select-best', value: 'kind', rubricPrompt: JUDGE_PROMPTS['select-best'] },
    { values: {}, outputs: ['one', 'two'] },
  )
  expect(messages[0]?.content).toContain('best fits the following criteria: kind')
})

test('a good answer suggests what may be asked of others', () => {
  const text = `# Plan\n\n## Costs\n${'word '.repeat(90)}`
  expect(suggestAssertions({ text, durationMs: 1234 })).toEqual([
    { type: 'word-count', value: { max: 150 } },
    { type: 'icontains-all', value: ['Plan', 'Costs'] },
    { type: 'finish-reason', value: 'stop' },
    { type: 'latency', threshold: 2500 },
  ])
  expect(suggestAssertions({ text: '{"a":1}', durationMs: null })).toEqual([
    { type: 'is-json' },
    { type: 'finish-reason', value: 'stop' },
  ])
})

test('an assertion is described in words', () => {
  const words = (
    [
      { type: 'not-icontains', value: 'sorry' },
      { type: 'word-count', value: { max: 140 } },
      { type: 'latency', threshold: 4000 },
      { type: 'cost', threshold: 0.01 },
      {
        type: 'assert-set',
        threshold: 0.5,
        assert: [{ type: 'is-json' }, { type: 'starts-with', value: 'Dear' }],
      },
    ] satisfies Assertion[]
  ).map(describeAssertion)
  expect(words).toEqual([
    'Does not contain “sorry” (ignore case)',
    'Has at most 140 words',
    'Takes at most 4,000 ms',
    'Costs at most $0.010',
    'Score 0.5 of: Is JSON; Starts with “Dear”',
  ])
})

const LOOPS = '{% for output in outputs %}'.repeat(3_700)
const DEEP = `${'['.repeat(40_000)}1${']'.repeat(40_000)}`

test.each([
  ['loops that do not end', { rubricPrompt: LOOPS }, 'Dear Ada', 'fine'],
  ['a prompt of nested lists', { rubricPrompt: DEEP }, 'Dear Ada', 'The judge’s prompt is nested too deep'],
  ['an answer of nested lists', {}, DEEP, 'fine'],
  [
    'a value that is filled in again and again',
    { rubricPrompt: '{{v}}'.repeat(20_000) },
    'Dear Ada',
    'The judge can’t be asked: it would have to read more than 5,000,000 characters',
  ],
])('a judge meets %s', async (_what, more, text, reason) => {
  const values = { v: 'x'.repeat(1_000_000) }
  const graded = await grade([{ type: 'llm-rubric', value: 'Is kind', ...more }], text, { values })
  expect(graded.results[0]?.reason).toBe(reason)
})

test('what an assertion asks for is filled in up to a bound', async () => {
  const values = { v: 'x'.repeat(1_000_000) }
  const graded = await grade([{ type: 'contains', value: '$<v>'.repeat(25_000) }], 'Dear Ada', { values })
  expect(graded.reason).toBe('With its references filled in, the text is longer than 1,000,000 characters')
})
