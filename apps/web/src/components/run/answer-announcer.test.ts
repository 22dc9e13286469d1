import { expect, test } from 'vitest'
import { sentencesOf } from './answer-announcer.tsx'

test('an answer is announced in whole sentences, without the marks of Markdown', () => {
  const text = '## Dear **Ada**\n\nWelcome. The kettle is'
  expect(sentencesOf({ phase: 'writing', text })).toEqual(['Dear Ada', 'Welcome.'])
  expect(sentencesOf({ phase: 'done', text })).toEqual(['Dear Ada', 'Welcome.', 'The kettle is'])
})

test('a sentence that is still being written is not announced', () => {
  expect(sentencesOf({ phase: 'writing', text: 'Welcome' })).toEqual([])
})
