import { describe, expect, test } from 'vitest'
import { CLIENT_ADDITIONS, isClientAddition } from './client-additions.ts'
import { answerUtilityPrompt, UTILITY_PROMPTS } from './utility-prompts.ts'

const chat = 'USER: How do I bake a good\nsourdough bread at home?\nASSISTANT: With patience.'
const job = (asks: string, history = chat) =>
  `### Task:\nDo this for the chat.\n\n### Output:\n${asks}\n\n### Chat History:\n<chat_history>\n${history}\n</chat_history>`
const title = 'JSON format: { "title": "your concise title here" }'
const ask = (content: string) => answerUtilityPrompt([{ role: 'user', content }])

test.each(UTILITY_PROMPTS)('$client $version: its example is answered', ({ example, answer }) => {
  expect(answerUtilityPrompt(example)).toBe(answer)
  const last = example.at(-1)
  const beside = [
    ...example.slice(0, -1),
    { role: 'user' as const, content: `${last?.content}\nAnd a letter.` },
  ]
  if (last?.content.endsWith('</chat_history>')) expect(answerUtilityPrompt(beside)).toBeUndefined()
})

test.each(CLIENT_ADDITIONS)('$client $version: its addition is known', ({ example }) => {
  expect(isClientAddition(example)).toBe(true)
})

describe('Open WebUI', () => {
  test('a title is the first six words of what the person said first', () => {
    expect(ask(job(title))).toBe('{"title":"How do I bake a good"}')
    expect(ask(job(title, 'USER: Hello'))).toBe('{"title":"Hello"}')
  })

  test.each(['tags', 'follow_ups', 'queries'])('%s are none, in the JSON that is asked for', (name) => {
    expect(ask(job(`JSON format: { "${name}": ["one", "two"] }`))).toBe(`{"${name}":[]}`)
  })

  test('Utility prompts of chat front ends (titles, tags, follow-ups, searches) are known by their structure and answered without a run (D66).', () => {
    const content = job('Strictly return: {"title": "…"}').replace('Do this', 'Kindly do that')
    const system = { role: 'system' as const, content: 'Be kind.' }
    expect(answerUtilityPrompt([system, { role: 'user', content }])).toBe('{"title":"How do I bake a good"}')
  })
})

test.each([
  ['a word before it', `Hi. ${job(title)}`],
  ['a word after it', `${job(title)} Then answer it.`],
  ['only its beginning', '### Task:\nWrite a letter.'],
  ['no JSON that is known', job('JSON format: { "poem": "…" }')],
  ['the JSON in the chat alone', job('A poem.', `USER: What is ${title}?`)],
])('a job with %s is a question like any other', (_what, content) => {
  expect(ask(content)).toBeUndefined()
})

test('a job after a conversation is a question of it', () => {
  const content = job(title)
  const turns = [
    { role: 'user' as const, content: 'Hello' },
    { role: 'assistant' as const, content: 'Hello' },
    { role: 'user' as const, content },
  ]
  expect(answerUtilityPrompt(turns)).toBeUndefined()
})

test('a person who asks for a title is answered by the chain', () => {
  for (const content of [
    'Generate a title for this conversation:\n',
    'Provide a concise, 5-word-or-less title for the conversation about my shop.',
    'You are a title generator. What is your favourite?',
  ]) {
    expect(ask(content)).toBeUndefined()
  }
})
