import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Chain, CreatedChainToken, Execution } from '@catenary/contracts'
import { apiExamples } from '@catenary/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const run = promisify(execFile)
const peers = join(import.meta.dirname, '../.peers')
/** Their programs alone, without the scripts around them; a third of a gigabyte each. */
const packages = [
  '@anthropic-ai/claude-code-linux-x64@2.1.330',
  'codex-linux@npm:@openai/codex@0.169.0-linux-x64',
]
const claude = join(peers, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude')
const codex = join(peers, 'node_modules/codex-linux/vendor/x86_64-unknown-linux-musl/bin/codex')

let provider: FakeProvider
let server: RunningServer
let api: Api
let home: string
beforeAll(async () => {
  if (!existsSync(claude) || !existsSync(codex)) {
    await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', peers, ...packages])
  }
  provider = await startFakeProvider({ vendor: 'openai' })
  provider.replyByDefault({ text: ['The chain ', 'says ok'] })
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: provider.url, OPENAI_MODEL: 'fake' }
  server = await startServer({ env })
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  home = await mkdtemp(join(tmpdir(), 'catenary-agent-'))
}, 600_000)
afterAll(async () => {
  await server.dispose()
  await provider.close()
  await rm(home, { recursive: true, force: true })
})

async function serveChain() {
  const { id } = await api.post<Chain>('/api/chains', { name: 'Agent' })
  const step = { content: 'Answer: {{input}}', outputVariableName: 'answer', model: 'openai' }
  await api.post(`/api/chains/${id}/steps`, step)
  const { token } = await api.post<CreatedChainToken>('/api/tokens', { name: 'Agent', chainId: id })
  const lastRun = async () => (await api.get<Execution[]>(`/api/chains/${id}/executions`))[0]
  return { id, token, lastRun }
}

/** What the agent printed; it has no other settings, and nothing to read. */
async function runAgent(program: string, args: string[], env: Record<string, string>): Promise<string> {
  const { PATH = '' } = process.env
  const own = { PATH, HOME: home, TERM: 'dumb', ...env }
  const running = run(program, args, { cwd: home, env: own, timeout: 110_000 })
  running.child.stdin?.end()
  const { stdout } = await running.catch((error: ExecFileException) => {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}\n${server.logs()}`)
  })
  return stdout
}

test('Claude Code in print mode runs a chain, tools and all', async () => {
  const { id, token, lastRun } = await serveChain()
  const stdout = await runAgent(
    claude,
    ['-p', 'say ok', '--model', `claude-chain-${id}`, '--output-format', 'json'],
    {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_AUTH_TOKEN: token,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  )
  expect(JSON.parse(stdout)).toMatchObject({ is_error: false, result: 'The chain says ok' })
  expect(await lastRun()).toMatchObject({
    ...{ status: 'completed', trigger: 'token', token: { name: 'Agent' } },
    apiCall: {
      path: '/v1/messages',
      ignored: expect.arrayContaining(['tools', 'thinking', 'anthropic-beta']),
    },
  })
  expect(JSON.stringify(provider.journal.at(-1)?.body)).toContain('say ok')
})

test('Codex in print mode runs a chain, by the settings of the usage example', async () => {
  const { id, token, lastRun } = await serveChain()
  const example = apiExamples({ address: server.url, model: `chain-${id}` }).find((one) => one.id === 'codex')
  await mkdir(join(home, '.codex'), { recursive: true })
  await writeFile(join(home, '.codex/config.toml'), example?.code ?? '')
  const stdout = await runAgent(codex, ['exec', '--skip-git-repo-check', 'say ok'], { CATENARY_TOKEN: token })
  expect(stdout).toContain('The chain says ok')
  expect(await lastRun()).toMatchObject({
    ...{ status: 'completed', trigger: 'token' },
    apiCall: {
      path: '/v1/responses',
      ignored: expect.arrayContaining(['tools', 'include', 'prompt_cache_key']),
    },
  })
})
