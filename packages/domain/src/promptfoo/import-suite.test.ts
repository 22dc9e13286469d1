import { flattenAssertions } from '@catenary/contracts'
import { expect, test } from 'vitest'
import type { SuiteDraft } from './draft.ts'
import { exportSuite } from './export-suite.ts'
import { importCsv, importPromptfoo } from './import-suite.ts'
import { FILES_OF_PROMPTFOO } from './testing/files.ts'

const typesOf = ({ defaults, cases }: SuiteDraft) =>
  [defaults, ...cases].flatMap(({ assertions }) => flattenAssertions(assertions).map(({ type }) => type))

const keptOf = ({ imported, defaults, cases }: SuiteDraft) =>
  [...imported, ...defaults.notRun, ...cases.flatMap(({ notRun }) => notRun)].flatMap(({ path, reason }) =>
    reason === null ? [] : [[path.join('.'), reason]],
  )

test.each(FILES_OF_PROMPTFOO)(
  'Twenty kinds of promptfoo’s files are imported and exported, with a line for each thing that is kept but not run. ($about)',
  ({ text, cases, runs, kept = [] }) => {
    if (typeof cases === 'string') {
      expect(() => importPromptfoo(text)).toThrow(cases)
      return
    }
    const draft = importPromptfoo(text)
    expect(draft.cases.map(({ name }) => name)).toEqual(cases)
    expect([...keptOf(draft)].sort()).toEqual([...kept].sort())
    if (runs) expect(typesOf(draft)).toEqual(runs)
    // What is exported means the same when it is imported again.
    const again = importPromptfoo(exportSuite(draft))
    expect([again.cases.length, typesOf(again)]).toEqual([draft.cases.length, typesOf(draft)])
    expect(again.cases.map(({ values }) => values)).toEqual(draft.cases.map(({ values }) => values))
    expect([...keptOf(again)].sort()).toEqual([...keptOf(draft)].sort())
  },
)

test('names and values become those of here, and go back', () => {
  const draft = importPromptfoo(
    "tests: [{description: d, vars: {name: Ada, greeting: 'Dear {{name}}'}, assert: [{type: contains-all, value: ['{{greeting}}', 1], metric: 'for {{name}}'}]}]",
  )
  expect(draft.cases[0]).toMatchObject({
    values: { name: 'Ada', greeting: 'Dear Ada' },
    assertions: [{ type: 'contains-all', value: ['$<greeting>', 1], metric: 'for $<name>' }],
  })
  expect(exportSuite(draft)).toContain('"{{greeting}}"')
})

test('promptfoo’s transform that takes a field comes in and goes out as such.', () => {
  const draft = importPromptfoo(
    "tests: [{assert: [{type: equals, value: 49.9, transform: 'JSON.parse(output).refund'}, {type: contains, value: x, transform: 'output.items[0].title'}, {type: contains, value: x, transform: 'output.trim()'}]}]",
  )
  expect(draft.cases[0]?.assertions).toEqual([
    { type: 'equals', value: 49.9, path: 'refund' },
    { type: 'contains', value: 'x', path: 'items[0].title' },
  ])
  expect(draft.cases[0]?.notRun).toHaveLength(1)
  expect(exportSuite(draft)).toContain('transform: JSON.parse(output).items[0].title')
})

test('An alias bomb or a program’s tag is refused, and combinations are limited.', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 9; level++) {
    const before = String.fromCharCode(96 + level)
    const name = String.fromCharCode(97 + level)
    bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`)
  }
  expect(() => importPromptfoo([...bomb, 'tests: [{vars: {x: *i}}]'].join('\n'))).toThrow(/too large|alias/i)
  const list = `[${Array.from({ length: 40 }, (_, index) => `v${index}`).join(', ')}]`
  expect(() => importPromptfoo(`tests: [{vars: {a: ${list}, b: ${list}}}]`)).toThrow('more than 1,000 cases')
  const long = 'x'.repeat(100_000)
  expect(() => importPromptfoo(`tests: [{vars: {a: ${long}, b: '{{a}}{{a}}{{a}}'}}]`)).toThrow(
    'longer than 200,000',
  )
})

test('CSV has promptfoo’s columns.', () => {
  const { cases } = importCsv(
    [
      '\ufeffcustomer,order,__description,__expected1,__expected2,__config:__expected2:threshold,__metric,__threshold,__metadata:tags[]',
      'Ada,"1,042",first,"contains-any:refund, ""money, back""",latency(500),900,tone,0.5,"vip,angry"',
      'Eva,"two\nlines",,Hello,fn:output,,,,',
      'Bob,,,grade:is polite,not-regex:\\d+,,,,',
    ].join('\n'),
  )
  expect(cases).toMatchObject([
    {
      ...{
        name: 'first',
        values: { customer: 'Ada', order: '1,042' },
        threshold: 0.5,
        tags: ['vip', 'angry'],
      },
      assertions: [
        { type: 'contains-any', value: ['refund', 'money, back'], metric: 'tone' },
        { type: 'latency', threshold: 900, metric: 'tone' },
      ],
    },
    {
      ...{ name: 'Eva · two lines', assertions: [{ type: 'equals', value: 'Hello' }] },
      notRun: [{ path: ['assert', 1], reason: 'It runs code, which is not supported here' }],
    },
    {
      assertions: [
        { type: 'llm-rubric', value: 'is polite' },
        { type: 'not-regex', value: '\\d+' },
      ],
    },
  ])
})
