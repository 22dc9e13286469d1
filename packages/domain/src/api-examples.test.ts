import { expect, test } from 'vitest'
import { apiExamples } from './api-examples.ts'

const examples = apiExamples({ address: 'https://catenary.example.org', model: 'chain-7' })

test('Usage examples exist for each client and language, with a bearer token and the model ‘chain-{chainId}’.', () => {
  expect(examples.map(({ client, language }) => `${client}, ${language}`)).toEqual([
    'curl, Shell',
    'curl, Shell',
    'OpenAI SDK, TypeScript',
    'OpenAI SDK, Python',
    'Anthropic SDK, TypeScript',
    'Anthropic SDK, Python',
    'AI SDK, TypeScript',
    'LangChain, TypeScript',
    'LangChain, Python',
    'Claude Code, Shell',
    'Codex, TOML',
    'OpenCode, JSON',
    'Open WebUI, Shell',
  ])
  for (const { id, code } of examples) {
    expect(code).toContain('https://catenary.example.org')
    // It lists the models by itself.
    if (id !== 'open-webui') expect(code).toContain('chain-7')
    expect(code).toContain('CATENARY_TOKEN')
  }
})

test('Usage examples say how each client sends an Idempotency-Key.', () => {
  const without = examples.filter(({ idempotency }) => !idempotency?.includes('Idempotency-Key'))
  expect(without.map(({ client }) => client)).toEqual(['Claude Code', 'Codex', 'OpenCode', 'Open WebUI'])
})

test('Usage examples keep clients from running a failed chain anew.', () => {
  const retries = examples.filter(({ code }) => /retries(:| =|=) ?0/i.test(code))
  expect(retries.map(({ id }) => id)).toEqual(['codex'])
})

test('Claude Code is told the name that it lists; a name that the server does not read stays', () => {
  const codeOf = (model: string) =>
    apiExamples({ address: 'https://c.example', model }).find(({ id }) => id === 'claude-code')?.code
  expect(codeOf('chain-7')).toContain('--model claude-chain-7')
  expect(codeOf('best-chain')).toContain('--model best-chain')
})
