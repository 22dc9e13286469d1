import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyTemplate, HOSTILE_TEMPLATES } from '../testing/template-arbitraries.ts'
import { extractOutputs, extractVariables, tokenizeTemplate } from './tokenize.ts'

/** The language once more, as the one expression that defines it. */
const definition = (outputs: boolean) =>
  outputs ? /\$<([A-Za-z0-9_]+)>|\{\{([A-Za-z0-9_]+)\}\}/g : /\$<([A-Za-z0-9_]+)>/g

describe('tokenizeTemplate', () => {
  it('splits text, variables and outputs with their positions', () => {
    expect(tokenizeTemplate('Hi $<who>, {{draft}}!', { outputs: true })).toEqual([
      { kind: 'text', start: 0, end: 3, raw: 'Hi ' },
      { kind: 'variable', start: 3, end: 9, raw: '$<who>', name: 'who' },
      { kind: 'text', start: 9, end: 11, raw: ', ' },
      { kind: 'output', start: 11, end: 20, raw: '{{draft}}', name: 'draft' },
      { kind: 'text', start: 20, end: 21, raw: '!' },
    ])
  })

  it('takes double braces for plain text unless outputs are asked for', () => {
    expect(tokenizeTemplate('{{draft}}')).toEqual([{ kind: 'text', start: 0, end: 9, raw: '{{draft}}' }])
  })

  it.each([
    ['$<$<a>>', ['$<', '$<a>', '>']],
    ['{{{a}}}', ['{', '{{a}}', '}']],
    ['{{$<a>}}', ['{{', '$<a>', '}}']],
    ['$<{{a}}>', ['$<', '{{a}}', '>']],
    ['$<a>$<b>{{c}}', ['$<a>', '$<b>', '{{c}}']],
    ['$< a>{{a }}', ['$< a>{{a }}']],
    ['$<é>{{a-b}}', ['$<é>{{a-b}}']],
    ['$<a', ['$<a']],
    ['$<>{{}}', ['$<>{{}}']],
    ['', []],
  ])('splits %j into %j', (source, raws) => {
    expect(tokenizeTemplate(source, { outputs: true }).map((token) => token.raw)).toEqual(raws)
  })

  it('covers any source without a gap, so that the joined tokens are the source', () => {
    fc.assert(
      fc.property(anyTemplate, fc.boolean(), (source, outputs) => {
        const tokens = tokenizeTemplate(source, { outputs })
        expect(tokens.map((token) => token.raw).join('')).toBe(source)
        let position = 0
        for (const token of tokens) {
          expect(token.start).toBe(position)
          expect(token.end).toBeGreaterThan(token.start)
          expect(source.slice(token.start, token.end)).toBe(token.raw)
          position = token.end
        }
        expect(position).toBe(source.length)
      }),
      { numRuns: 1000 },
    )
  })

  it('A reference is `$<name>`, of letters, digits and underscores.', () => {
    fc.assert(
      fc.property(anyTemplate, fc.boolean(), (source, outputs) => {
        const expected = [...source.matchAll(definition(outputs))].map((match) => ({
          kind: match[1] === undefined ? 'output' : 'variable',
          start: match.index,
          end: match.index + match[0].length,
          raw: match[0],
          name: match[1] ?? match[2],
        }))
        expect(tokenizeTemplate(source, { outputs }).filter((token) => token.kind !== 'text')).toEqual(
          expected,
        )
      }),
      { numRuns: 2000 },
    )
  })

  it('gets through megabytes of opening marks in linear time', () => {
    for (const source of HOSTILE_TEMPLATES) {
      expect(tokenizeTemplate(source, { outputs: true })).toHaveLength(1)
    }
  })

  it('gets through a name of sixteen megabytes', () => {
    expect(tokenizeTemplate(`$<${'a'.repeat(16_000_000)}`)).toHaveLength(1)
  })
})

describe('extractVariables and extractOutputs', () => {
  it('Names are found once each. A text variable uses its own content; a missing one gets a placeholder.', () => {
    const source = '$<b> {{x}} $<a> $<b> {{w}} {{x}} $<B> $<__proto__>'
    expect(extractVariables(source)).toEqual(['b', 'a', 'B', '__proto__'])
    expect(extractOutputs(source)).toEqual(['x', 'w'])
  })

  it('name exactly the references that the tokens of any source hold', () => {
    fc.assert(
      fc.property(anyTemplate, (source) => {
        const matches = [...source.matchAll(definition(true))]
        const distinct = (names: (string | undefined)[]) =>
          [...new Set(names)].filter((name) => name !== undefined)
        expect(extractVariables(source)).toEqual(distinct(matches.map((match) => match[1])))
        expect(extractOutputs(source)).toEqual(distinct(matches.map((match) => match[2])))
      }),
    )
  })
})

describe('fields of outputs that are JSON', () => {
  const jsonOutputs = new Set(['a'])
  const partsOf = (source: string) =>
    tokenizeTemplate(source, { outputs: true, jsonOutputs }).map((token) =>
      token.kind === 'text' ? token.raw : [token.name, token.path],
    )

  it('take a path; without one they are whole', () => {
    expect(partsOf('{{a.items[0].title}} and {{a}}')).toEqual([
      ['a', ['items', 0, 'title']],
      ' and ',
      ['a', undefined],
    ])
  })

  it('leave a path of any other output, and a broken one, as plain text', () => {
    for (const source of ['{{b.items}}', '{{a.}}', '{{a[x]}}', '{{a.b', '{{a.b c}}', '{{a..b}}'])
      expect(partsOf(source)).toEqual([source])
  })

  it('take linear time', () => {
    const source = '{{a.b[1].c'.repeat(100_000)
    expect(partsOf(source)).toEqual([source])
  })
})
