import { expect, test } from 'vitest'
import { CONNECT_CLIENTS, type ConnectSubject, connectExamples, waysOf } from './connect-examples.ts'

const address = 'https://catenary.example.org'
const SUBJECTS: ConnectSubject[] = [
  { way: 'mcp' },
  { way: 'folder' },
  { way: 'model', model: 'chain-7' },
  { way: 'prompt', name: 'welcome-letter', variables: ['customer'] },
]
const all = SUBJECTS.flatMap((subject) => connectExamples({ address, subject }))

test('every client that is named has an example, and no example has another client', () => {
  const named = CONNECT_CLIENTS.map(({ name }) => name).toSorted()
  expect([...new Set(all.map(({ client }) => client))].toSorted()).toEqual(named)
})

test('no two examples have one id, and within a way no two of a client have one label', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (const subject of SUBJECTS) {
    const labels = connectExamples({ address, subject }).map(({ client, label }) => `${client}, ${label}`)
    expect(new Set(labels).size).toBe(labels.length)
  }
})

test('an example has this address, and the place of a token rather than a token', () => {
  for (const { code } of all) {
    expect(code).toContain(address)
    expect(code).toMatch(/CATENARY_TOKEN|\$\{input:catenary-token\}/)
    expect(code).not.toMatch(/ct[bcfmr]_/)
  }
})

test.each([
  ['Claude Code', ['mcp', 'model']],
  ['Cursor', ['mcp']],
  ['OpenAI SDK', ['model', 'prompt']],
  ['Langfuse', ['prompt']],
  ['Open WebUI', ['model']],
  ['CLI', ['folder']],
  ['curl', ['mcp', 'model', 'prompt']],
] as const)('%s reaches this by %j', (client, ways) => {
  expect(waysOf(client)).toEqual(ways)
})

test('with a token’s value an agent’s line or file holds it, and programs still read it from the environment', () => {
  const token = 'ctm_1234'
  const lines = connectExamples({ address, subject: { way: 'mcp' }, token })
  for (const { id, code } of lines) expect(code, id).toContain(token)
  const vscode = lines.find(({ client }) => client === 'VS Code')
  expect(vscode?.code).not.toContain('inputs')
  const ofCode = connectExamples({ address, subject: { way: 'model', model: 'chain-7' }, token })
  expect(ofCode.find(({ client }) => client === 'OpenAI SDK')?.code).not.toContain(token)
  expect(ofCode.find(({ client }) => client === 'curl')?.code).toMatch(
    /^export CATENARY_TOKEN=ctm_1234\ncurl /,
  )
})
