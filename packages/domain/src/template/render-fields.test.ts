import { expect, it } from 'vitest'
import { MissingFieldError, readerOf, renderTemplate } from './render.ts'

const REC =
  '{"id": 1736184243098437392, "price": 1.10, "big": 12345678901234567890, "2025": "b", "2024": "a", "none": null}'
const render = (source: string, rec = REC) =>
  renderTemplate({
    source,
    variables: {},
    outputs: { rec, text: 'no JSON' },
    jsonOutputs: new Map([
      ['rec', 'the answer of step 1'],
      ['text', 'the answer of step 2'],
    ]),
  }).text

it('A field of a JSON answer is handed on digit by digit, an object key by key in its order (D70).', () => {
  expect(render('id={{rec.id}} price={{rec.price}} big={{rec.big}}')).toBe(
    'id=1736184243098437392 price=1.10 big=12345678901234567890',
  )
  expect(render('{{rec}}')).toBe(REC)
  expect(render('{{rec.of}}', '{"of": {"2025": [1.0, "\\u00e9"], "2024": 1E400}}')).toBe(
    '{"2025":[1.0,"\\u00e9"],"2024":1E400}',
  )
  expect(render('{{rec.of[1]}}', '{"of": [1, "\\u00e9 \\"x\\""]}')).toBe('é "x"')
})

it.each([
  ['{{rec.nope}}', 'nope'],
  ['{{rec.none}}', 'none'],
  ['{{rec.id.more}}', 'id.more'],
  ['{{rec[0]}}', '[0]'],
  ['{{text.id}}', 'id'],
])('A field that the answer lacks stops the step and is named (D79). (%s)', (source, field) => {
  expect(() => render(source)).toThrow(MissingFieldError)
  expect(() => render(source)).toThrow(`has no ${field}`)
})

it('A reference to an output that no step makes stays as it is written (D79).', () => {
  expect(render('{{nope}} and {{nope.field}}')).toBe('{{nope}} and {{nope.field}}')
})

it('An item of a list is taken by a dot and its number, too, and a field of the input as one of an answer.', () => {
  const input = '{"issue": {"labels": [{"name": "bug"}, {"name": "ui"}], "0": "zero"}, "list": [[1, 2.50]]}'
  const values = { variables: {}, outputs: { input }, jsonOutputs: new Map([['input', 'the input']]) }
  const fill = (source: string) => renderTemplate({ source, ...values }).text
  expect(fill('{{input.issue.labels.1.name}} {{input.issue.labels[0].name}} {{input.issue.0}}')).toBe(
    'ui bug zero',
  )
  expect(fill('{{input.list.0.1}} {{input.list[0].1}}')).toBe('2.50 2.50')
  expect(() => fill('{{input.issue.labels.2}}')).toThrow(
    '{{input.issue.labels.2}} has no value: the input has no issue.labels.2',
  )
  expect(() => fill('{{input.list.first}}')).toThrow('the input has no list.first')
})

it('A whole input is JSON where it is an object or a list, and a text otherwise.', () => {
  const read = (input: string) => {
    const jsonOutputs = new Map([['input', 'the input']])
    return readerOf({ variables: {}, outputs: { input }, jsonOutputs })({
      ...{ kind: 'output', name: 'input', raw: '{{input}}', start: 0, end: 9 },
    })?.json
  }
  expect([' {"a": 1}', '[1]', '42', '"a"', '{"a": 1', 'x'].map(read)).toEqual([
    ...[' {"a": 1}', '[1]', undefined, undefined, undefined, undefined],
  ])
})
