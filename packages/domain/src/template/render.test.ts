import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyTemplate, anyValues, HOSTILE_TEMPLATES } from '../testing/template-arbitraries.ts'
import { renderTemplate, TemplateTooLongError } from './render.ts'
import { tokenizeTemplate } from './tokenize.ts'

describe('renderTemplate', () => {
  it('puts values in place and tells where each piece came from', () => {
    const rendered = renderTemplate({
      source: 'Write a $<tone> reply to {{mail}} for $<who>.',
      variables: { tone: 'warm' },
      outputs: { mail: 'Hello' },
    })
    expect(rendered).toEqual({
      text: 'Write a warm reply to Hello for $<who>.',
      segments: [
        { text: 'Write a ', from: null },
        { text: 'warm', from: { kind: 'variable', name: 'tone' } },
        { text: ' reply to ', from: null },
        { text: 'Hello', from: { kind: 'output', name: 'mail' } },
        { text: ' for ', from: null },
        { text: '$<who>', from: null },
        { text: '.', from: null },
      ],
      fixedLength: 8,
    })
  })

  it.each([
    { source: 'Plain {{text}}', outputs: undefined, fixedLength: 14 },
    { source: 'Plain {{text}}', outputs: {}, fixedLength: 6 },
    { source: '$<who> asks', outputs: undefined, fixedLength: 0 },
    { source: '$< is no $<who>', outputs: undefined, fixedLength: 9 },
    { source: '', outputs: {}, fixedLength: 0 },
  ])('tells how much of $source stands before the first reference', ({ source, outputs, fixedLength }) => {
    const variables = { who: 'Ada' }
    expect(renderTemplate({ source, variables, ...(outputs && { outputs }) }).fixedLength).toBe(fixedLength)
  })

  it('refuses a text that references would make too long, before it is made', () => {
    const variables = { big: 'x'.repeat(100_000) }
    const source = '$<big>'.repeat(100_000)
    expect(() => renderTemplate({ source, variables, maxLength: 1_000_000 })).toThrow(TemplateTooLongError)
    expect(renderTemplate({ source: '$<big>', variables, maxLength: 100_000 }).text).toHaveLength(100_000)
  })

  it('never scans inserted text again, whichever reference brought it', () => {
    const variables = { a: '$<b>{{x}}', b: 'B', open: '$<' }
    const outputs = { x: '$<a>{{x}}', y: 'Y' }
    expect(renderTemplate({ source: '$<a> {{x}} $<open>b>', variables, outputs }).text).toBe(
      '$<b>{{x}} $<a>{{x}} $<b>',
    )
  })

  it('inserts replacement patterns as they are', () => {
    expect(renderTemplate({ source: '[$<a>]', variables: { a: "$& $1 $$ $' $`" } }).text).toBe(
      "[$& $1 $$ $' $`]",
    )
  })

  it('replaces a reference by an empty value', () => {
    expect(renderTemplate({ source: '[$<a>]', variables: { a: '' } }).text).toBe('[]')
  })

  it('leaves double braces alone without outputs', () => {
    expect(renderTemplate({ source: '{{x}}', variables: { x: 'no' } }).text).toBe('{{x}}')
  })

  it('keeps variables and outputs of one name apart', () => {
    const values = { variables: { a: 'variable' }, outputs: { a: 'output' } }
    expect(renderTemplate({ source: '$<a> {{a}}', ...values }).text).toBe('variable output')
  })

  it('looks names up exactly', () => {
    expect(renderTemplate({ source: '$<Tone>', variables: { tone: 'warm' } }).text).toBe('$<Tone>')
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'knows the name %s only when it has a value of its own',
    (name) => {
      const source = `$<${name}> {{${name}}}`
      expect(renderTemplate({ source, variables: {}, outputs: {} }).text).toBe(source)
      expect(renderTemplate({ source, variables: new Map(), outputs: new Map() }).text).toBe(source)
      const own: Record<string, string> = JSON.parse(`{"${name}":"mine"}`)
      expect(renderTemplate({ source, variables: own, outputs: own }).text).toBe('mine mine')
    },
  )

  it('gives any source back unchanged when there are no values', () => {
    fc.assert(
      fc.property(anyTemplate, (source) => {
        expect(renderTemplate({ source, variables: {} }).text).toBe(source)
        expect(renderTemplate({ source, variables: new Map(), outputs: new Map() }).text).toBe(source)
      }),
      { numRuns: 1000 },
    )
  })

  it('Before a run each reference is replaced by its value. One without a value stays as it is.', () => {
    fc.assert(
      fc.property(anyTemplate, anyValues, anyValues, (source, variables, outputs) => {
        const expected = tokenizeTemplate(source, { outputs: true }).map((token) => {
          if (token.kind === 'text') return token.raw
          return (token.kind === 'variable' ? variables : outputs).get(token.name) ?? token.raw
        })
        const rendered = renderTemplate({ source, variables, outputs })
        expect(rendered.text).toBe(expected.join(''))
        expect(
          renderTemplate({
            source,
            variables: Object.fromEntries(variables),
            outputs: Object.fromEntries(outputs),
          }),
        ).toEqual(rendered)
      }),
      { numRuns: 2000 },
    )
  })

  it('tells for every segment of any result the reference that it came from', () => {
    fc.assert(
      fc.property(anyTemplate, anyValues, anyValues, (source, variables, outputs) => {
        const { text, segments } = renderTemplate({ source, variables, outputs })
        expect(segments.map((segment) => segment.text).join('')).toBe(text)
        const written = segments.map(({ text: piece, from }) => {
          if (from === null) return piece
          expect((from.kind === 'variable' ? variables : outputs).get(from.name)).toBe(piece)
          return from.kind === 'variable' ? `$<${from.name}>` : `{{${from.name}}}`
        })
        expect(written.join('')).toBe(source)
      }),
      { numRuns: 1000 },
    )
  })

  it('gets through megabytes of opening marks in linear time', () => {
    for (const source of HOSTILE_TEMPLATES) {
      expect(renderTemplate({ source, variables: {}, outputs: {} }).text === source).toBe(true)
    }
  })
})
