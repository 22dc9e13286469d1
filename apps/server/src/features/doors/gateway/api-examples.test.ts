import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type ApiExample, apiExamples, promptExamples } from '@catenary/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PromptServer, startPromptServer } from '../../../testing/prompt-server.ts'

const run = promisify(execFile)
/** Where the clients' packages are found. */
const directory = path.join(import.meta.dirname, '../../../..')
const executed = [
  ...['curl-messages', 'curl-chat', 'openai-typescript', 'anthropic-typescript'],
  ...['ai-sdk', 'langchain-typescript'],
]

let gateway: PromptServer
beforeAll(async () => {
  gateway = await startPromptServer('embedded')
})
afterAll(() => gateway.close())

test.each(executed)('Usage examples for curl and TypeScript run as they stand. (%s)', async (id) => {
  const { value, model } = await gateway.serve()
  gateway.fake.reply({ text: ['Dear ', 'reader'] })
  const example = apiExamples({ address: gateway.address, model }).find((one) => one.id === id)
  const { stdout } = await execute({ example, token: value })
  expect(stdout).toContain('Dear reader')
})

test.each([
  ['langfuse-typescript', 'Dear …!'],
  ['fetch-curl', '"prompt":"Dear {{customer}}!"'],
  ['run-curl', 'Hi there'],
  ['run-typescript', 'Hi there'],
])(
  'Code examples are filled with this server’s address, the prompt’s slug and its variables, and run as they stand, except Langfuse in Python. (%s)',
  async (id, said) => {
    const { id: promptId, slug } = await gateway.createPrompt(gateway.owner, { content: 'Dear $<customer>!' })
    const { token } = await gateway.createReadToken([promptId], { mayRun: true })
    gateway.fake.reply({ text: ['Hi ', 'there'] })
    const options = { address: gateway.address, name: slug, variables: ['customer'] }
    const example = promptExamples(options).find((one) => one.id === id)
    const { stdout } = await execute({ example, token })
    expect(stdout).toContain(said)
  },
)

/** What Open WebUI asks of a connection that its environment names: its models, and an answer by the first of them. */
const OPEN_WEBUI = `#!/usr/bin/env node
if (process.argv[2] !== 'serve') throw new Error('unknown command')
const { OPENAI_API_BASE_URL: base, OPENAI_API_KEY: key } = process.env
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
const { data: [{ id: model }] } = await (await fetch(base + '/models', { headers })).json()
const messages = [{ role: 'user', content: 'Hello' }]
const body = JSON.stringify({ model, messages, stream: true })
const reply = await fetch(base + '/chat/completions', { method: 'POST', headers, body })
console.log(model, await reply.text())
`

test('A stand-in takes the place of Open WebUI.', async () => {
  const { value, model } = await gateway.serve()
  // What earlier examples did not ask for.
  gateway.fake.reset()
  gateway.fake.reply({ text: ['Dear ', 'reader'] })
  const programs = await mkdtemp(path.join(tmpdir(), 'catenary-example-'))
  try {
    await writeFile(
      path.join(programs, 'open-webui'),
      OPEN_WEBUI.replace('#!/usr/bin/env node', `#!${process.execPath}`),
    )
    await writeFile(path.join(programs, 'package.json'), '{"type":"module"}')
    await chmod(path.join(programs, 'open-webui'), 0o755)
    const example = apiExamples({ address: gateway.address, model }).find(({ id }) => id === 'open-webui')
    const { stdout } = await execute({ example, token: value, programs })
    expect(stdout).toContain(model)
    expect(stdout).toContain('Dear ')
  } finally {
    await rm(programs, { recursive: true, force: true })
  }
})

interface Execution {
  example: ApiExample | undefined
  token: string
  /** Where a shell finds programs before others. */
  programs?: string
}

function execute({ example, token, programs }: Execution) {
  const { language, code = '' } = example ?? {}
  const { PATH = '' } = process.env
  const found = programs === undefined ? PATH : `${programs}:${PATH}`
  const options = { cwd: directory, env: { PATH: found, CATENARY_TOKEN: token } }
  return language === 'Shell'
    ? run('bash', ['-c', code], options)
    : run(process.execPath, ['--input-type=module', '--eval', code], options)
}
