import { describe, expect, it } from 'vitest'
import { findCacheGain } from './find-cache-gain.ts'

/** Some 3,158 tokens. */
const LONG = 'be exact. '.repeat(1_200)

describe('findCacheGain', () => {
  it('tells which variable stands before how much fixed text', () => {
    expect(findCacheGain(`For $<who>: ${LONG}`)).toEqual({ reference: '$<who>', tokens: 3_159 })
    expect(findCacheGain(`${LONG}{{mail}} ${LONG}`, { outputs: true })).toMatchObject({
      reference: '{{mail}}',
    })
  })

  it('counts on past the same variable, and up to another one', () => {
    const half = LONG.slice(0, LONG.length / 2)
    expect(findCacheGain(`$<who> ${half} $<who> ${half}`)).toMatchObject({ reference: '$<who>' })
    expect(findCacheGain(`$<who> ${half} $<what> ${half}`)).toBeNull()
  })

  it.each([
    ['no variable', LONG],
    ['a variable at the end', `${LONG} $<who>`],
    ['too little text', `$<who> ${LONG.slice(0, 11_000)}`],
    ['braces outside of a chain', `{{who}} ${LONG}`],
    ['nothing', ''],
  ])('says nothing of %s', (_, source) => {
    expect(findCacheGain(source)).toBeNull()
  })
})
