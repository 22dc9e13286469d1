import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyName, anyTemplate, HOSTILE_TEMPLATES } from '../testing/template-arbitraries.ts'
import { findTemplateProblems, type TemplateProblem } from './find-problems.ts'
import { tokenizeTemplate } from './tokenize.ts'

const known = { knownVariables: new Set(['tone']), knownOutputs: new Set(['draft']) }

/** A piece of template and the problem that it must raise, written down independently of the scanner. */
interface Piece {
  raw: string
  problem?: { kind: TemplateProblem['kind']; raw: string; name?: string }
}

const fault = (kind: TemplateProblem['kind'], raw: string, name?: string): Piece['problem'] =>
  name === undefined ? { kind, raw } : { kind, raw, name }

const anyPiece: fc.Arbitrary<Piece> = fc.oneof(
  fc.stringMatching(/^[^$<>{}]{0,8}$/).map((raw) => ({ raw })),
  fc.constantFrom({ raw: '$<tone>' }, { raw: '{{draft}}' }),
  anyName
    .filter((name) => name !== 'tone')
    .map((name) => ({ raw: `$<${name}>`, problem: fault('unknown-variable', `$<${name}>`, name) })),
  anyName
    .filter((name) => name !== 'draft')
    .map((name) => ({ raw: `{{${name}}}`, problem: fault('unknown-output', `{{${name}}}`, name) })),
  fc.constantFrom('$<>', '{{}}').map((raw) => ({ raw, problem: fault('empty-name', raw) })),
  fc
    .tuple(anyName, fc.constantFrom(' ', '-', '.', 'é', '👋'), anyName)
    .map((parts) => parts.join(''))
    .chain((name) =>
      fc
        .constantFrom(`$<${name}>`, `{{${name}}}`)
        .map((raw) => ({ raw, problem: fault('invalid-name', raw, name) })),
    ),
  fc
    .tuple(fc.constantFrom('$<', '{{'), fc.constantFrom('', 'to', 'tone'))
    .map(([mark, name]) => ({ raw: `${mark}${name}\n`, problem: fault('unclosed', `${mark}${name}`) })),
)

describe('findTemplateProblems', () => {
  it('tells kind, name and place of each mistake', () => {
    expect(findTemplateProblems('$<tone> $<who> {{draft}} {{sum}} $<my name> {{}} $<to', known)).toEqual([
      { kind: 'unknown-variable', name: 'who', start: 8, end: 14, message: 'Variable who does not exist' },
      { kind: 'unknown-output', name: 'sum', start: 25, end: 32, message: 'No earlier step produces sum' },
      {
        kind: 'invalid-name',
        name: 'my name',
        start: 33,
        end: 43,
        message: 'Variable names contain only letters, digits and underscores',
      },
      { kind: 'empty-name', start: 44, end: 48, message: 'Put an output name between "{{" and "}}"' },
      { kind: 'unclosed', start: 49, end: 53, message: 'Close the variable with ">"' },
    ])
  })

  it('does not check names against a set that it was not given', () => {
    expect(findTemplateProblems('$<who> {{sum}} {{}} {{')).toEqual([])
  })

  it('does not take a closing mark of the next line or of the next reference for its own', () => {
    const kinds = (source: string) => findTemplateProblems(source, known).map((problem) => problem.kind)
    expect(kinds('costs $<5\nand x > 3')).toEqual(['unclosed'])
    expect(kinds('$<to $<tone>')).toEqual(['unclosed'])
    expect(kinds('{{dra {{draft}}')).toEqual(['unclosed'])
    expect(kinds('$<to {{draft}}>')).toEqual(['unclosed'])
  })

  it('knows no name by inheritance', () => {
    expect(findTemplateProblems('$<constructor>', known)).toHaveLength(1)
  })

  it('finds in a text made of good and bad pieces exactly the bad ones, each in its place', () => {
    fc.assert(
      fc.property(fc.array(anyPiece, { maxLength: 12 }), (pieces) => {
        const source = pieces.map((piece) => piece.raw).join('')
        let position = 0
        const expected = pieces.flatMap(({ raw, problem }) => {
          const start = position
          position += raw.length
          if (problem === undefined) return []
          const { raw: marked, ...rest } = problem
          return [{ ...rest, start, end: start + marked.length, message: expect.stringMatching(/\w/) }]
        })
        expect(findTemplateProblems(source, known)).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('places problems of any source in order, without overlap, and never on a sound reference', () => {
    fc.assert(
      fc.property(anyTemplate, (source) => {
        const sound = tokenizeTemplate(source, { outputs: true }).filter((token) => token.kind !== 'text')
        const everything = new Set(sound.map((token) => token.name))
        const problems = findTemplateProblems(source, {
          knownVariables: everything,
          knownOutputs: everything,
        })
        let position = 0
        for (const { start, end } of problems) {
          expect(start).toBeGreaterThanOrEqual(position)
          expect(source.slice(start, end)).toMatch(/^(\$<|\{\{)/)
          expect(sound.some((token) => token.start < end && start < token.end)).toBe(false)
          position = end
        }
        expect(position).toBeLessThanOrEqual(source.length)
        // Each opening mark of the source begins either a sound reference or a problem.
        expect(sound.length + problems.length).toBe([...source.matchAll(/\$<|\{\{(?!\{)/g)].length)
      }),
      { numRuns: 2000 },
    )
  })

  it('gets through megabytes of opening marks in linear time', () => {
    for (const source of HOSTILE_TEMPLATES) {
      const opened = [...source.matchAll(/\$<|\{\{(?!\{)/g)].length
      expect(findTemplateProblems(source, known).length).toBe(opened)
    }
  })
})
