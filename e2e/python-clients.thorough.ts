import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Chain, CreatedChainToken, CreatedReadToken, Prompt, RunDetails } from '@catenary/contracts'
import { type ApiExample, apiExamples, promptExamples } from '@catenary/domain'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { ensurePython } from './harness/python.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const run = promisify(execFile)
const ANSWER = 'The chain says ok'

let python: string
let provider: FakeProvider
let server: RunningServer
let api: Api
beforeAll(async () => {
  python = await ensurePython(join(import.meta.dirname, 'python-clients/requirements.txt'))
  provider = await startFakeProvider({ vendor: 'openai' })
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: provider.url, OPENAI_MODEL: 'fake' }
  server = await startServer({ env })
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
}, 600_000)
afterAll(async () => {
  await server?.dispose()
  await provider?.close()
})

beforeEach(() => {
  provider.reset()
  provider.replyByDefault({ text: ['The chain ', 'says ok'] })
})

const CLIENTS = ['openai-python', 'anthropic-python']

/** The example as it is shown for a new chain, with a token for that one. */
async function serveChain(client: string) {
  const { id } = await api.post<Chain>('/api/chains', { name: 'Helpdesk' })
  const step = { content: 'Answer: {{input}}', outputVariableName: 'answer', model: 'openai' }
  await api.post(`/api/chains/${id}/steps`, step)
  const { token } = await api.post<CreatedChainToken>('/api/tokens', { name: 'Code', chainId: id })
  const example = find(apiExamples({ address: server.url, model: `chain-${id}` }), client)
  const lastRun = async () => (await api.get<RunDetails[]>(`/api/chains/${id}/executions`))[0]
  return { example, token, lastRun }
}

function find(examples: ApiExample[], wanted: string): ApiExample {
  const found = examples.find(({ id }) => id === wanted)
  if (!found) throw new Error(`No example ${wanted}`)
  return found
}

/** The output of a program that has the token and no other settings. */
async function printed(code: string, token: string): Promise<string> {
  const { PATH = '' } = process.env
  const env = { PATH, CATENARY_TOKEN: token }
  return (await run(python, ['-c', code], { env, cwd: tmpdir(), timeout: 60_000 })).stdout.trim()
}

const sent = () =>
  provider.journal.map(({ body }) => (body.messages as { content: string }[]).at(-1)?.content)

test.each(CLIENTS)(
  'Usage examples of the official clients in Python run as they stand. (%s)',
  async (client) => {
    const { example, token, lastRun } = await serveChain(client)
    expect(await printed(example.code, token)).toBe(ANSWER)
    expect(sent()).toEqual(['Answer: Hello'])
    expect(await lastRun()).toMatchObject({ status: 'completed', trigger: 'token', token: { name: 'Code' } })
  },
)

test.each(CLIENTS)('with the key that it speaks of %s is answered again, and paid once', async (client) => {
  const { example, token } = await serveChain(client)
  const code = withKey(example)
  expect(await printed(code, token)).toBe(ANSWER)
  expect(await printed(code, token)).toBe(ANSWER)
  expect(sent()).toEqual(['Answer: Hello'])
})

test('the example run-python of a prompt runs as it stands', async () => {
  const asked = { title: 'Welcome', content: 'Dear $<customer>!', categoryId: 1 }
  const { id, slug } = await api.post<Prompt>('/api/prompts', asked)
  const grant = { name: 'Code', promptIds: [id], mayRun: true }
  const { token } = await api.post<CreatedReadToken>('/api/read-tokens', grant)
  const options = { address: server.url, name: slug, variables: ['customer'] }
  expect(await printed(find(promptExamples(options), 'run-python').code, token)).toBe(ANSWER)
  expect(sent()).toEqual(['Dear …!'])
})

/** The example with the argument that its hint adds to its call: `create(…, extra_headers=…)`. */
function withKey({ code, idempotency = '' }: ApiExample): string {
  const [, name = '', added = ''] = /^(\w+)\(…, (.+)\)$/s.exec(idempotency) ?? []
  const call = new RegExp(String.raw`(?<=\.${name}\()(.*?),?\s*(?=\)(?:\n|\.))`, 's')
  const keyed = code.replace(call, (_, given: string) => `${given}, ${added}`)
  expect(keyed).toContain(`${added})`)
  return keyed
}
