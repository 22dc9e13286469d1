import { describe, expect, it } from 'vitest'
import { describeCacheGain } from './describe-cache-gain.ts'

/** Some 3,158 tokens. */
const LONG = 'be exact. '.repeat(1_200)
const HALF = LONG.slice(0, LONG.length / 2)

describe('describeCacheGain', () => {
  it('Below the text the editor says when moving its first variables down would make 3,000 tokens or more cacheable.', () => {
    expect(describeCacheGain(`For $<who>: ${LONG}`)).toBe(
      'Moving $<who> below the text that follows it would make about 3,200 tokens cacheable.',
    )
    expect(describeCacheGain(`$<who> asks {{mail}}: ${LONG}`, { outputs: true })).toBe(
      'Moving $<who> and {{mail}} below the text that follows them would make about 3,200 tokens cacheable.',
    )
  })

  it('names no more than have to be moved, and each once', () => {
    expect(describeCacheGain(`$<who> ${LONG} $<what> ${LONG}`)).toMatch(/^Moving \$<who> below .* 3,200 /)
    expect(describeCacheGain(`$<who> ${HALF} $<who> ${HALF}`)).toMatch(/^Moving \$<who> below .* 3,200 /)
    expect(describeCacheGain(`$<who> ${HALF} $<what> ${HALF}`)).toMatch(/^Moving \$<who> and \$<what> below /)
  })

  it.each([
    ['no variable', LONG],
    ['a variable at the end', `${LONG} $<who>`],
    ['too little text', `$<who> ${LONG.slice(0, 11_000)}`],
    ['more variables than anyone moves', `$<a> $<b> $<c> $<d> ${LONG}`],
    ['braces outside of a chain', `{{who}} ${LONG}`],
    ['nothing', ''],
  ])('says nothing of %s', (_, source) => {
    expect(describeCacheGain(source)).toBe('')
  })

  it('gets through megabytes of different variables in linear time', () => {
    const source = Array.from({ length: 300_000 }, (_, index) => `$<v${index}>`).join('')
    expect(describeCacheGain(source)).toBe('')
  })
})
