import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { apiExamples } from '@catenary/domain'
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
  const { PATH = '' } = process.env
  const options = { cwd: directory, env: { PATH, CATENARY_TOKEN: value } }
  const code = example?.code ?? ''
  const { stdout } =
    example?.language === 'Shell'
      ? await run('bash', ['-c', code], options)
      : await run(process.execPath, ['--input-type=module', '--eval', code], options)
  expect(stdout).toContain('Dear reader')
})
