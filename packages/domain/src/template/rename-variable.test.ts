import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyName, anyTemplate } from '../testing/template-arbitraries.ts'
import { renameVariable } from './rename-variable.ts'
import { extractVariables, tokenizeTemplate } from './tokenize.ts'

describe('renameVariable', () => {
  it('renames references in whatever case, and nothing that only looks like one', () => {
    const source = '$<tone> $<TONE> $<tones> {{tone}} tone $< tone> $<$<Tone>>'
    expect(renameVariable({ source, from: 'Tone', to: 'voice_2' })).toBe(
      '$<voice_2> $<voice_2> $<tones> {{tone}} tone $< tone> $<$<voice_2>>',
    )
  })

  it('inserts replacement patterns of nothing: a name stands as it is', () => {
    expect(renameVariable({ source: '$<a>', from: 'a', to: '__proto__' })).toBe('$<__proto__>')
  })

  it('changes of any source the references to that name alone', () => {
    fc.assert(
      fc.property(anyTemplate, anyName, anyName, (source, from, to) => {
        const isMeant = (name: string) => name.toLowerCase() === from.toLowerCase()
        const expected = tokenizeTemplate(source).map((token) =>
          token.kind !== 'text' && isMeant(token.name) ? `$<${to}>` : token.raw,
        )
        const renamed = renameVariable({ source, from, to })
        expect(renamed).toBe(expected.join(''))
        if (!isMeant(to)) expect(extractVariables(renamed).some(isMeant)).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })
})
