import { expect, it } from 'vitest'
import { MissingFieldError, renderTemplate } from './render.ts'

const REC =
  '{"id": 1736184243098437392, "price": 1.10, "big": 12345678901234567890, "2025": "b", "2024": "a", "none": null}'
const render = (source: string, rec = REC) =>
  renderTemplate({
    source,
    variables: {},
    outputs: { rec, text: 'no JSON' },
    jsonOutputs: new Map([
      ['rec', 'step 1'],
      ['text', 'step 2'],
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
