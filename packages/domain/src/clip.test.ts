import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clip, isClipOf } from './clip.ts'

const LIST_TEXT_MAX = 500

const text = fc.string({ unit: 'binary', maxLength: 2 * LIST_TEXT_MAX, size: 'max' })

test.each([
  ['a', 499, 499],
  ['a', 500, 500],
  ['a', 501, 500],
  ['😀', 499, 499],
  ['😀', 500, 500],
  ['😀', 501, 500],
])('of %s, %i times, %i are shown', (character, length, shown) => {
  expect(clip(character.repeat(length))).toBe(character.repeat(shown))
})

test('a clip is the beginning of its text, at most 500 characters, none of them cut apart', () => {
  fc.assert(
    fc.property(text, (text) => {
      const shown = clip(text)
      expect(text.startsWith(shown)).toBe(true)
      expect(shown.isWellFormed()).toBe(true)
      expect([...shown]).toHaveLength(Math.min(LIST_TEXT_MAX, [...text].length))
    }),
  )
})

test('only the clip of a longer text is taken for one', () => {
  fc.assert(
    fc.property(text, text, (stored, other) => {
      expect(isClipOf({ text: clip(stored), stored })).toBe([...stored].length > LIST_TEXT_MAX)
      expect(isClipOf({ text: stored, stored })).toBe(false)
      if (other !== clip(stored)) expect(isClipOf({ text: other, stored })).toBe(false)
    }),
  )
})
