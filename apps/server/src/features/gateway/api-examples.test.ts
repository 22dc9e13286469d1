import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { type ApiExample, apiExamples, promptExamples } from '@catenary/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PromptServer, startPromptServer } from '../../testing/prompt-server.ts'

const run = promisify(execFile)
/** Where the clients' packages are found. */
const directory = path.join(import.meta.dirname, '../../..')
const executed = [
  ...['curl-messages', 'curl-chat', 'openai-typescript', 'anthropic-typescript'],
  ...['ai-sdk', 'langchain-typescript'],
]

let gateway: PromptServer
beforeAll(async () => {
  gateway = await startPromptServer('embedded')
})
afterAll(() => gateway.close())

test.each(executed)('the usage example %s runs as it stands', async (id) => {
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
])('the example %s of a prompt runs as it stands', async (id, said) => {
  const { id: promptId, slug } = await gateway.createPrompt(gateway.owner, { content: 'Dear $<customer>!' })
  const { token } = await gateway.createReadToken([promptId], { mayRun: true })
  gateway.fake.reply({ text: ['Hi ', 'there'] })
  const options = { address: gateway.address, name: slug, variables: ['customer'] }
  const example = promptExamples(options).find((one) => one.id === id)
  const { stdout } = await execute({ example, token })
  expect(stdout).toContain(said)
})

function execute({ example, token }: { example: ApiExample | undefined; token: string }) {
  const { language, code = '' } = example ?? {}
  const { PATH = '' } = process.env
  const options = { cwd: directory, env: { PATH, CATENARY_TOKEN: token } }
  return language === 'Shell'
    ? run('bash', ['-c', code], options)
    : run(process.execPath, ['--input-type=module', '--eval', code], options)
}
