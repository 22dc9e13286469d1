import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemaOfItem, schemaOfOutput } from './item-schema.ts'
import { joinAnswers } from './join-answers.ts'
import { readItems } from './read-items.ts'

const textsOf = (list: string) => readItems(list).map(({ text }) => text)

/** A line as people write one: with a text in it, and none of its own breaks. */
const line = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .map((text) => text.replace(/[\r\n]/g, ' ').trim())
  .filter((text) => text !== '')
const plainLine = line.filter((text) => !/^\p{Nd}+[.)]/u.test(text) && !text.startsWith('['))
const mark = fc.constantFrom('.', ')')
const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
const blank = fc.constantFrom('', ' ', '\t ')

describe('the items of a list', () => {
  it('A JSON array has its elements: a text as it is, anything else as its JSON.', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 2), (values, indent) => {
        const items = readItems(` ${JSON.stringify(values, null, indent)}\n`)
        const plain: unknown[] = JSON.parse(JSON.stringify(values))
        expect(items).toEqual(
          plain.map((value) => ({
            text: typeof value === 'string' ? value : JSON.stringify(value),
            isJson: typeof value !== 'string',
          })),
        )
      }),
    )
  })

  it('keep digits, and the order of keys', () => {
    expect(textsOf('[ {"b": 1.0, "2": 12345678901234567890}, 1E400, "\\u00e9", null ]')).toEqual([
      '{"b":1.0,"2":12345678901234567890}',
      '1E400',
      'é',
      'null',
    ])
  })

  it('A text whose first line is numbered has what is numbered, with the lines that follow.', () => {
    const numbered = fc.array(fc.tuple(mark, line, fc.array(plainLine, { maxLength: 2 })), { minLength: 1 })
    fc.assert(
      fc.property(numbered, lineEnd, blank, (parts, end, before) => {
        const lines = parts.map(([dot, text, more], index) =>
          [`${index + 1}${dot} ${text}`, ...more].join(end),
        )
        expect(textsOf([before, ...lines].join(end))).toEqual(
          parts.map(([, text, more]) => [text, ...more].join('\n')),
        )
      }),
    )
    expect(textsOf('1. A\n   1. a\n   2. b\n\n2) B\n3.')).toEqual(['A\n   1. a\n   2. b', 'B'])
    expect(textsOf(' 9. nine\n10. ten')).toEqual(['nine', 'ten'])
    expect(textsOf('1.5 kg of flour\n2. eggs')).toEqual(['1.5 kg of flour', '2. eggs'])
  })

  it('Any other text has its lines, without empty ones.', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(blank, plainLine, blank)), lineEnd, (parts, end) => {
        const lines = parts.flatMap(([before, text, after]) => [before, `${before}${text}${after}`])
        expect(textsOf(lines.join(end))).toEqual(parts.map(([, text]) => text))
      }),
    )
    expect(textsOf('[no JSON\nat all]')).toEqual(['[no JSON', 'at all]'])
    expect(textsOf('{"a": ["b"]}')).toEqual(['{"a": ["b"]}'])
    expect(textsOf(' \n\t\n')).toEqual([])
    expect(textsOf('[]')).toEqual([])
  })

  it('are never empty, but where an element is an empty text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (readItems(text).some((item) => item.text.trim() === '')) expect(text.trimStart()).toMatch(/^\[/)
      }),
    )
  })

  it('are read in linear time, whatever the text', () => {
    const size = 2_000_000
    const hostile = ['1', '1.', ' ', '\n', '1. \n', '[', '[[]', '["a",', '1)\t', '\r']
    for (const each of hostile)
      expect(readItems(each.repeat(size / each.length)).length).toBeLessThanOrEqual(size)
    expect(readItems(`[${'[1],'.repeat(size / 4)}1]`)).toHaveLength(size / 4 + 1)
  })
})

const anyAnswer: fc.Arbitrary<unknown> = fc.oneof(line, fc.array(fc.jsonValue()), fc.dictionary(line, line))

describe('what answers make together', () => {
  it('As JSON they are an array in the order of the list: JSON stays JSON, a text becomes a string.', () => {
    fc.assert(
      fc.property(fc.array(anyAnswer), (values) => {
        const plain: unknown[] = JSON.parse(JSON.stringify(values))
        const answers = plain.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
        const isMeant = (value: unknown) => typeof value !== 'string' || !/^[[{]/.test(value)
        fc.pre(plain.every(isMeant))
        expect(JSON.parse(joinAnswers({ answers, result: 'json' }))).toEqual(plain)
        expect(textsOf(joinAnswers({ answers, result: 'json' }))).toEqual(answers)
      }),
    )
    const answers = ['{"n": 1.10}', '12345678901234567890', '[see below', ' true ']
    expect(joinAnswers({ answers, result: 'json' })).toBe(
      '[{"n": 1.10},"12345678901234567890","[see below"," true "]',
    )
    expect(joinAnswers({ answers, result: 'json', areJson: true })).toBe(
      '[{"n": 1.10},12345678901234567890,"[see below",true]',
    )
    expect(joinAnswers({ answers: [], result: 'json' })).toBe('[]')
  })

  it('as a text they have an empty line between them', () => {
    expect(joinAnswers({ answers: ['A', '{"b": 1}', 'C'], result: 'text' })).toBe('A\n\n{"b": 1}\n\nC')
    expect(joinAnswers({ answers: [], result: 'text' })).toBe('')
  })
})

it('an item is what the list’s schema says of its elements', () => {
  const item = { type: 'object', properties: { title: { type: 'string' } } }
  const schema = { type: 'object', properties: { items: { type: 'array', items: item } } }
  const schemas = new Map<string, Record<string, unknown>>([
    ['triage', schema],
    ['all', { type: 'array', items: item }],
  ])
  expect(schemaOfItem({ list: 'triage.items' }, schemas)).toEqual(item)
  expect(schemaOfItem({ list: 'all' }, schemas)).toEqual(item)
  for (const list of ['triage', 'triage.nope', 'triage.items.more', 'other', 'all of it'])
    expect(schemaOfItem({ list }, schemas)).toBeUndefined()
  const output = { type: 'json' as const, schema: item }
  expect(schemaOfOutput({ output, forEach: { result: 'json' } })).toEqual({ type: 'array', items: item })
  expect(schemaOfOutput({ output, forEach: { result: 'text' } })).toBeUndefined()
  expect(schemaOfOutput({ output })).toEqual(item)
  expect(schemaOfOutput({ output: { type: 'text' } })).toBeUndefined()
})
