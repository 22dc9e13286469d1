import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namesFromOutside, type ReadingStep } from './names-from-outside.ts'

const step = (outputName: string, fields: Partial<ReadingStep> = {}): ReadingStep => ({
  outputName,
  outputs: [],
  variables: [],
  isSkipped: false,
  ...fields,
})

describe('names from outside', () => {
  it('What a step makes of a value from outside came from there, too, through any number of steps.', () => {
    const steps = [
      step('a', { variables: ['feed'] }),
      step('b', { outputs: ['a', 'input'] }),
      step('c'),
      step('d', { outputs: ['c', 'b'] }),
    ]
    const { names, outputs } = namesFromOutside(steps, [])
    expect(names).toEqual([['feed'], ['a'], [], ['b']])
    expect([...outputs]).toEqual(['a', 'b', 'd'])
    expect(namesFromOutside(steps, ['input']).names).toEqual([['feed'], ['a', 'input'], [], ['b']])
  })

  it('a skipped step makes nothing of what it read', () => {
    const steps = [step('a', { variables: ['feed'], isSkipped: true }), step('b', { outputs: ['a'] })]
    expect(namesFromOutside(steps, []).names).toEqual([['feed'], []])
  })

  it('an output that is made anew is what it is made of now, one that was taken over stays as it was', () => {
    const after = step('b', { outputs: ['a'] })
    expect(namesFromOutside([step('a'), after], ['a']).names).toEqual([[], []])
    expect(namesFromOutside([step('a', { isTaken: true }), after], ['a']).names).toEqual([[], ['a']])
  })

  it('more from outside never means fewer names', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'input')
    const steps = fc.array(
      fc.record({
        outputName: fc.constantFrom('a', 'b', 'c', ''),
        outputs: fc.uniqueArray(name),
        variables: fc.constantFrom([], ['feed']),
        isSkipped: fc.boolean(),
      }),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(steps, fc.uniqueArray(name), name, (all, known, more) => {
        const fewer = namesFromOutside(all, known).names
        const most = namesFromOutside(all, [...known, more]).names
        for (const [index, names] of fewer.entries())
          expect(most[index]).toEqual(expect.arrayContaining(names))
      }),
    )
  })
})
