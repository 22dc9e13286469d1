import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText, shortenText } from './cut-text.ts'

test.each([
  [`${'x'.repeat(59)}😀 and more`, 60, 'x'.repeat(59)],
  ['ab👩‍🚀cd', 4, 'ab'],
  ['ab👩‍🚀cd', 7, 'ab👩‍🚀'],
  ['e\u0301e\u0301', 3, 'e\u0301'],
  ['🇩🇪🇫🇷', 6, '🇩🇪'],
  ['각각', 1, '각'],
  ['whole', 5, 'whole'],
  ['👩‍🚀', 2, ''],
])('of ‘%s’ at most %i units are ‘%s’', (text, max, cut) => {
  expect(cutText(text, max)).toBe(cut)
})

test('A text is cut between signs as people see them.', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('👩‍🚀', '😀', 'e\u0301', '🇩🇪', 'क्षि'),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
    maxLength: 300,
  })
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 300 }), (text, max) => {
      const cut = cutText(text, max)
      expect(text.startsWith(cut)).toBe(true)
      expect(cut.length).toBeLessThanOrEqual(max)
      expect(cut.isWellFormed()).toBe(text.slice(0, cut.length).isWellFormed())
      if (cut !== text) {
        const signs = Array.from(new Intl.Segmenter('en').segment(text), ({ index }) => index)
        expect(signs).toContain(cut.length)
      }
    }),
  )
})

test('a long text ends with an ellipsis', () => {
  expect(shortenText('Dear Grace 😀', 12)).toBe('Dear Grace …')
  expect(shortenText('Dear', 4)).toBe('Dear')
  expect(shortenText(`a${'\u0301'.repeat(1_000)}`, 500)).toHaveLength(501)
})
