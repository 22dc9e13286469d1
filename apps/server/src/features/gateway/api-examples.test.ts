import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { type ApiExample, apiExamples } from '@catenary/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../testing/gateway.ts'

const run = promisify(execFile)
/** Where the clients' packages are found. */
const directory = path.join(import.meta.dirname, '../../..')
const executed = ['curl-messages', 'curl-chat', 'openai-typescript', 'anthropic-typescript']

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())

test.each(executed)('the usage example %s runs as it stands', async (id) => {
  const { value, model } = await gateway.serve()
  gateway.fake.reply({ text: ['Dear ', 'reader'] })
  const example = apiExamples({ address: gateway.address, model }).find((one) => one.id === id)
  const { stdout } = await execute({ example, token: value })
  expect(stdout).toContain('Dear reader')
})

function execute({ example, token }: { example: ApiExample | undefined; token: string }) {
  const { language, code = '' } = example ?? {}
  const { PATH = '' } = process.env
  const options = { cwd: directory, env: { PATH, CATENARY_TOKEN: token } }
  return language === 'Shell'
    ? run('bash', ['-c', code], options)
    : run(process.execPath, ['--input-type=module', '--eval', code], options)
}
