import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReferenceValue } from '../../template/render.ts'
import { anyName } from '../../testing/template-arbitraries.ts'
import { findJsonTemplateFault, renderJsonTemplate } from './json-template.ts'

const syntax = { outputs: true }

const render = (source: string, read: (name: string) => ReferenceValue | undefined): string =>
  renderJsonTemplate(source, { syntax, read: ({ name }) => read(name) })
    .map(({ text }) => text)
    .join('')

/** A template beside what it makes of each reference’s value. */
interface Case {
  source: string
  made: unknown
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('"', '\\', '\\"', '",', '"}', '\n', '\u2028', '\ud800', '{{a}}', '$<a>', 'u0041', 'n'),
)
const value = fc.oneof(
  anyText.map((text) => ({ text })),
  fc.jsonValue({ maxDepth: 2 }).map((json) => ({ text: 'as text', json: JSON.stringify(json) })),
)

const literal = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !/[$<>{}]/.test(text))

/** JSON in which some values, and pieces of some strings, are references. */
function casesOf(values: ReadonlyMap<string, ReferenceValue>): fc.Arbitrary<Case> {
  const names = fc.constantFrom(...values.keys())
  const valueFor = (name: string): ReferenceValue => values.get(name) ?? { text: '' }
  const alone = names.map((name): Case => {
    const { text, json } = valueFor(name)
    return { source: `{{${name}}}`, made: json === undefined ? text : JSON.parse(json) }
  })
  const inString = fc
    .array(
      fc.oneof(
        literal.map((text) => ({ source: JSON.stringify(text).slice(1, -1), made: text })),
        names.map((name) => ({ source: `{{${name}}}`, made: valueFor(name).text })),
      ),
      { maxLength: 5 },
    )
    .map(
      (parts): Case => ({
        source: `"${parts.map(({ source }) => source).join('')}"`,
        made: parts.map(({ made }) => made).join(''),
      }),
    )
  const plain = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)).map(
    (made): Case => ({
      source: JSON.stringify(made),
      made,
    }),
  )
  return fc.letrec<{ node: Case }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      alone,
      inString,
      plain,
      fc.array(tie('node'), { maxLength: 4 }).map((items) => ({
        source: `[ ${items.map(({ source }) => source).join(' , ')}\n]`,
        made: items.map(({ made }) => made),
      })),
      fc
        .uniqueArray(fc.tuple(literal, tie('node')), { maxLength: 4, selector: ([key]) => key })
        .map((fields) => ({
          source: `{ ${fields.map(([key, { source }]) => `${JSON.stringify(key)} :${source}`).join(', ')} }`,
          made: Object.fromEntries(fields.map(([key, { made }]) => [key, made])),
        })),
    ),
  })).node
}

test('what a reference stands for is a value alone and a text in a string, whatever it holds', () => {
  const anyCase = fc
    .uniqueArray(fc.tuple(anyName, value), { minLength: 1, maxLength: 4, selector: ([name]) => name })
    .map((entries) => new Map<string, ReferenceValue>(entries))
    .chain((values) => casesOf(values).map((each) => ({ ...each, values })))
  fc.assert(
    fc.property(anyCase, ({ source, made, values }) => {
      expect(findJsonTemplateFault(source, syntax)).toBeUndefined()
      const rendered = render(source, (name) => values.get(name))
      // Compared as JSON: a number of no exact double, and -0, are what they were.
      expect(JSON.parse(rendered)).toEqual(JSON.parse(JSON.stringify(made)))
    }),
    { numRuns: 500 },
  )
})

test('digits that no double holds stay as they are', () => {
  const digits = '12345678901234567890.10'
  expect(render('{"id": {{id}}}', () => ({ text: digits, json: digits }))).toBe(`{"id": ${digits}}`)
})

test.each([
  ['a name of a field', '{"{{a}}": 1}', '{{a}} can’t stand in the name of a field.'],
  ['a part of one, before a line break', '{"x{{a}}y"\n: 1}', '{{a}} can’t stand in the name of a field.'],
  ['behind a backslash', String.raw`{"x": "\{{a}}"}`, 'right behind a backslash'],
  ['in an escape', String.raw`{"x": "\u00{{a}}41"}`, 'right behind a backslash'],
  ['beside a number', '{"x": 1{{a}}}', 'This is not JSON'],
  ['beside another', '{"x": {{a}}{{b}}}', 'This is not JSON'],
  ['for a comma', '[1 {{a}} 2]', 'This is not JSON'],
  ['in place of a field', '{{{a}}}', 'This is not JSON'],
  ['in what is no JSON', '{x: {{a}}}', 'This is not JSON'],
])('a reference is refused as %s', (_, source, message) => {
  expect(findJsonTemplateFault(source, syntax)).toContain(message)
})

test('two escaped backslashes before a reference are none', () => {
  const source = String.raw`{"x": "\\{{a}}"}`
  expect(findJsonTemplateFault(source, syntax)).toBeUndefined()
  expect(JSON.parse(render(source, () => ({ text: 'n' })))).toEqual({ x: '\\n' })
})
