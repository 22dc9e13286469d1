import { expect, test } from 'vitest'
import { sentencesOf } from './answer-announcer.tsx'

test('an answer is announced in whole sentences, without the marks of Markdown', () => {
  const text = '## Dear **Ada**\n\nWelcome. The kettle is'
  expect(sentencesOf({ text, isWriting: true })).toEqual(['Dear Ada', 'Welcome.'])
  expect(sentencesOf({ text, isWriting: false })).toEqual(['Dear Ada', 'Welcome.', 'The kettle is'])
})

test('an underscore inside a name is kept', () => {
  const text = 'Set _customer_name_ and __first__ to `order_id`.'
  expect(sentencesOf({ text, isWriting: false })).toEqual(['Set customer_name and first to order_id.'])
})

test('a sentence that is still being written is not announced', () => {
  expect(sentencesOf({ text: 'Welcome', isWriting: true })).toEqual([])
})
