import { describe, expect, test } from 'vitest'
import { createMask, MASK } from './mask-values.ts'

describe('masking values', () => {
  const shown = (values: string[], text: string) => createMask(values).maskText(text)

  test.each([
    ['the value', 'Dear Ada Lovelace,', 'Dear ••••••,'],
    ['in other letters', 'DEAR ADA LOVELACE', 'DEAR ••••••'],
    ['more than once, next to each other', 'ada lovelaceAda Lovelace', '••••••••••••'],
    ['what an answer that was cut left of it', 'Her name is Ada Love', 'Her name is ••••••'],
    ['not a part that is too short to tell', 'I can not say: Ada', 'I can not say: Ada'],
    ['nothing', 'Dear Charles', 'Dear Charles'],
  ])('hides %s', (_, text, expected) => {
    expect(shown(['Ada Lovelace'], text)).toBe(expected)
  })

  test('finds values that overlap, within themselves too', () => {
    expect(shown(['abab'], 'xababab!')).toBe(`x${MASK}!`)
    expect(shown(['Ada Lovelace', 'Lovelace, Countess'], 'Ada Lovelace, Countess of')).toBe(`${MASK} of`)
  })

  test('finds the lines of a value, and a value in JSON', () => {
    const value = 'Name: "Ada"\n\nAccount: 4711-0815\nok'
    expect(shown([value], 'It says Account: 4711-0815, ok?')).toBe(`It says ${MASK}, ok?`)
    expect(shown([value], JSON.stringify({ value }))).toBe(`{"value":"${MASK}"}`)
  })

  test('finds a short value as a word alone', () => {
    expect(shown(['42'], 'The PIN is 42, not 142 or 42nd')).toBe(`The PIN is ${MASK}, not 142 or 42nd`)
  })

  test('ignores the blanks around a value, and values of blanks alone', () => {
    expect(shown([' Ada Lovelace\n', ' '], 'by Ada Lovelace !')).toBe(`by ${MASK} !`)
  })

  test('moves what is known of the text, and masks a part whatever stands in it', () => {
    const text = 'Hi 7, you wrote: Ada Lovelace is 7. Bye'
    const segments = [
      { start: 3, end: 4, name: 'pin' },
      { start: 17, end: 35, name: 'answer' },
      { start: 36, end: 39, name: 'end' },
    ]
    const masked = createMask(['Ada Lovelace']).mask({
      ...{ text, segments },
      isMasked: ({ name }) => name === 'pin',
    })
    expect(masked.text).toBe(`Hi ${MASK}, you wrote: ${MASK} is 7. Bye`)
    expect(masked.segments.map(({ name, start, end }) => [name, masked.text.slice(start, end)])).toEqual([
      ['pin', MASK],
      ['answer', `${MASK} is 7.`],
      ['end', 'Bye'],
    ])
  })

  test('keeps segments apart where one mask covers several', () => {
    const segments = [
      { start: 0, end: 4, name: 'first' },
      { start: 4, end: 12, name: 'second' },
    ]
    const masked = createMask(['Ada Lovelace']).mask({ text: 'Ada Lovelace!', segments })
    expect([masked.text, masked.segments]).toEqual([
      `${MASK}!`,
      [{ start: 0, end: MASK.length, name: 'first' }],
    ])
  })

  test('hides the whole of a text that it can not search within bounds', () => {
    const lines = Array.from({ length: 300 }, (_, line) => `a secret line ${line}`)
    expect(shown([lines.join('\n')], 'x'.repeat(400_000))).toBe(MASK)
  })
})
