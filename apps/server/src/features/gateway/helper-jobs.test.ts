import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { answerHelperJob } from './helper-jobs.ts'

const template = '### Task:\nName this chat.\n### Chat History:\n<chat_history>\n'
const hash = createHash('sha256').update(template).digest('base64')
const ask = (content: string, job: 'title' | 'tags' | 'follow_ups' = 'title') =>
  answerHelperJob([{ role: 'user', content }], { [hash]: job })
const chat = 'USER: How do I bake a good\nsourdough bread at home?\nASSISTANT: With patience.'

test('a title is the first six words of what the person said first', () => {
  expect(ask(`${template}${chat}\n</chat_history>`)).toBe('{"title":"How do I bake a good"}')
  expect(ask(`${template}USER: Hello\n</chat_history>`)).toBe('{"title":"Hello"}')
})

test('tags and follow-ups are empty, in the JSON that is asked for', () => {
  expect(ask(`${template}${chat}\n</chat_history>`, 'tags')).toBe('{"tags":[]}')
  expect(ask(`${template}${chat}\n</chat_history>`, 'follow_ups')).toBe('{"follow_ups":[]}')
})

test.each([
  ['a template with another word', `${template.replace('Name', 'Rename')}${chat}\n</chat_history>`],
  ['a word before it', `Hi. ${template}${chat}\n</chat_history>`],
  ['a word after it', `${template}${chat}\n</chat_history> Then answer it.`],
  ['only its beginning', '### Task:\nWrite a letter.'],
])('%s is a question like any other', (_what, content) => {
  expect(ask(content)).toBeUndefined()
})

test('a template among other messages is a question like any other', () => {
  const job = { role: 'user' as const, content: `${template}${chat}\n</chat_history>` }
  expect(answerHelperJob([{ role: 'system', content: 'Be kind.' }, job], { [hash]: 'title' })).toBeUndefined()
})
