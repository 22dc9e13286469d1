import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { AnswerAnnouncer, type AnswerAnnouncerProps } from './answer-announcer.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** What is in the live region once each of these was shown in turn. */
function announced(...shown: AnswerAnnouncerProps[]): string[] {
  const { container, rerender } = render(<AnswerAnnouncer text="" isWriting isAnnounced />)
  for (const props of shown) rerender(<AnswerAnnouncer isAnnounced {...props} />)
  return [...container.querySelectorAll('p')].map((line) => line.textContent).filter((text) => text !== '')
}

test('What is announced of an answer has no marks.', () => {
  const text = '## Dear **Ada**\n\nWelcome. The kettle is'
  expect(announced({ text, isWriting: true })).toEqual(['Dear Ada', 'Welcome.'])
  cleanup()
  expect(announced({ text, isWriting: false })).toEqual(['Dear Ada', 'Welcome.', 'The kettle is'])
})

test('The announcer keeps underscores of names.', () => {
  const text = 'Set _customer_name_ and __first__ to `order_id`.'
  expect(announced({ text, isWriting: false })).toEqual(['Set customer_name and first to order_id.'])
})

test('a sentence that is still being written is not announced', () => {
  expect(announced({ text: 'Welcome', isWriting: true })).toEqual([])
})

test('however its pieces are cut, an answer is announced the same', () => {
  const text = 'Dear Ada.\n\nWelcome!  The kettle is on: tea'
  const pieces = Array.from(text, (_, index) => ({ text: text.slice(0, index + 1), isWriting: true }))
  expect(announced(...pieces, { text, isWriting: false })).toEqual([
    'Dear Ada.',
    'Welcome!',
    'The kettle is on:',
    'tea',
  ])
})

test('an answer that starts over is announced again', () => {
  const first = { text: 'One. Two. Three', isWriting: true }
  expect(announced(first, { text: '', isWriting: true }, { text: 'Four. F', isWriting: true })).toEqual([
    'Four.',
  ])
})

test('The announcer reads each piece of a streamed answer once.', () => {
  const sentences = Array.from({ length: 300 }, (_, index) => `Sentence ${index} is complete. `)
  let characters = 0
  for (const method of ['replace', 'split'] as const) {
    const own = String.prototype[method] as (...of: unknown[]) => never
    vi.spyOn(String.prototype, method).mockImplementation(function (this: string, ...of: unknown[]) {
      if (this.includes('Sentence')) characters += this.length
      return own.apply(this, of)
    })
  }
  const whole = sentences.join('')
  const pieces = sentences.map((_, index) => sentences.slice(0, index + 1).join(''))
  const shown = announced(...pieces.map((text) => ({ text, isWriting: true })))
  expect(shown).toEqual(sentences.slice(-4).map((sentence) => sentence.trim()))
  expect(characters).toBeGreaterThan(0)
  expect(characters).toBeLessThan(whole.length * 20)
})
