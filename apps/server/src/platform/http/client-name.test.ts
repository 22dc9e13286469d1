import { expect, test } from 'vitest'
import { clientOf } from './client-name.ts'

test.each([
  ['claude-cli/2.1.330 (external, cli)', 'claude-cli 2.1.330'],
  ['OpenAI/JS 7.57.0', 'OpenAI JS 7.57.0'],
  ['Anthropic/Python 1.13.0', 'Anthropic Python 1.13.0'],
  ['curl/8.5.0', 'curl 8.5.0'],
  ['node', 'node'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla 5.0'],
  ['', ''],
  ['evil\u0000/1 2', 'evil 1 2'],
])('the User-Agent %j is %j', (agent, name) => {
  expect(clientOf({ headers: { 'user-agent': agent } })).toBe(name)
})

test('one of Langfuse’s SDKs is named by its own headers, whatever sends for it', () => {
  const headers = { 'user-agent': 'node', 'x-langfuse-sdk-name': 'javascript' }
  const release = { 'x-langfuse-sdk-version': '5.11.1' }
  expect(clientOf({ headers: { ...headers, ...release } })).toBe('Langfuse javascript 5.11.1')
  expect(clientOf({ headers })).toBe('Langfuse javascript')
  expect(clientOf({ headers: { ...headers, 'x-langfuse-sdk-name': 'x'.repeat(500) } })).toHaveLength(100)
})

test('a call that says nothing has no name', () => {
  expect(clientOf({ headers: {} })).toBe('')
})
