import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Chain, CreatedMcpToken, OwnToken, Prompt, PromptFetch, RunDetails } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { startFakeAgentModel } from './harness/fake-agent-model.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const run = promisify(execFile)
const peers = join(import.meta.dirname, '../.peers')
/** As in the coding agents' test. */
const packages = [
  '@anthropic-ai/claude-code-linux-x64@2.1.330',
  'codex-linux@npm:@openai/codex@0.169.0-linux-x64',
]
const claude = join(peers, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude')
const codex = join(peers, 'node_modules/codex-linux/vendor/x86_64-unknown-linux-musl/bin/codex')

let provider: FakeProvider
let model: Awaited<ReturnType<typeof startFakeAgentModel>>
let server: RunningServer
let api: Api
let home: string
let token: CreatedMcpToken
let prompt: Prompt
let chain: Chain
beforeAll(async () => {
  if (![claude, codex].every((program) => existsSync(program))) {
    await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', peers, ...packages])
  }
  provider = await startFakeProvider({ vendor: 'openai' })
  model = await startFakeAgentModel()
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: provider.url, OPENAI_MODEL: 'fake' }
  server = await startServer({ env })
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  home = await mkdtemp(join(tmpdir(), 'catenary-agent-'))
  const [category] = await api.get<{ id: number }[]>('/api/categories')
  prompt = await api.post<Prompt>('/api/prompts', {
    title: 'Code review',
    content: 'Review what I say: $<what>.',
    categoryId: category?.id,
  })
  chain = await api.post<Chain>('/api/chains', { name: 'Digest' })
  for (const [position, content] of ['Collect {{input}}', 'Sort {{out_0}}', 'Write {{out_1}}'].entries()) {
    const step = { content, outputVariableName: `out_${position}`, model: 'openai' }
    await api.post(`/api/chains/${chain.id}/steps`, { ...step, position })
  }
  const reach = { promptIds: [prompt.id], chainIds: [chain.id] }
  token = await api.post<CreatedMcpToken>('/api/mcp-tokens', { name: 'Agents', ...reach })
}, 600_000)
afterAll(async () => {
  await server.dispose()
  await provider.close()
  await model.close()
  await rm(home, { recursive: true, force: true })
})
beforeEach(() => {
  model.reset()
  provider.reset()
  provider.replyByDefault({ text: ['The digest ', 'is written'] })
})

/** What the agent printed; it has no other settings, and nothing to read. */
async function runAgent(program: string, args: string[], env: Record<string, string>): Promise<string> {
  const { PATH = '' } = process.env
  const own = { PATH, HOME: home, TERM: 'dumb', CATENARY_TOKEN: token.token, ...env }
  const running = run(program, args, { cwd: home, env: own, timeout: 110_000 })
  running.child.stdin?.end()
  const { stdout, stderr } = await running.catch((error: ExecFileException) => {
    if (error.killed) throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}\n${server.logs()}`)
    return { stdout: `${error.stdout}`, stderr: `${error.stderr}` }
  })
  return `${stdout}\n${stderr}`
}

async function askClaude(words: string): Promise<string> {
  const file = join(home, 'mcp.json')
  const headers = { Authorization: `Bearer ${token.token}` }
  const servers = { catenary: { type: 'http', url: `${server.url}/mcp`, headers } }
  await writeFile(file, JSON.stringify({ mcpServers: servers }))
  const allowed = ['--allowedTools', `mcp__catenary__chain_${chain.slug}`]
  return runAgent(claude, ['-p', words, '--mcp-config', file, '--strict-mcp-config', ...allowed], {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'k',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    // All tools stand in the first call, and it waits until the server is there.
    ENABLE_TOOL_SEARCH: 'false',
    MCP_CONNECTION_NONBLOCKING: 'false',
  })
}

async function askCodex(words: string): Promise<string> {
  await mkdir(join(home, '.codex'), { recursive: true })
  const settings = `
model = "fake"
model_provider = "fake"
approval_policy = "never"
[model_providers.fake]
name = "Fake"
base_url = "${model.url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
[mcp_servers.catenary]
url = "${server.url}/mcp"
bearer_token_env_var = "CATENARY_TOKEN"
`
  await writeFile(join(home, '.codex/config.toml'), settings)
  return runAgent(codex, ['exec', '--skip-git-repo-check', words], { FAKE_KEY: 'k' })
}

const lastRun = async () => (await api.get<RunDetails[]>(`/api/chains/${chain.id}/executions`))[0]
/** Of the first call, to look at where one is missing. */
const toolNames = () => JSON.stringify(model.journal[0]?.body.tools ?? []).match(/"name":"[^"]*"/g)
const sentToModel = () => JSON.stringify(model.journal.map(({ body }) => body))

test.each([
  ['Claude Code', askClaude],
  ['Codex', askCodex],
])('Codex runs a chain as a tool. (%s)', async (name, ask) => {
  model.wants(`chain_${chain.slug}`, { input: 'the week' })
  const said = await ask('Write the digest.')
  expect(said, `${toolNames()}\n${server.logs().slice(-2_000)}`).toContain('The tool answered.')
  expect(sentToModel()).toContain('The digest is written')
  const run = await lastRun()
  expect(run).toMatchObject({ status: 'completed', completedSteps: 3, token: { name: 'Agents' } })
  const [own] = await api.get<OwnToken[]>('/api/own-tokens')
  expect(own?.lastClient?.toLowerCase()).toContain(name === 'Codex' ? 'codex' : 'claude')
})

test('Claude Code connects and takes a prompt.', async () => {
  await askClaude(`/mcp__catenary__${prompt.slug} fix the bug`)
  const sent = sentToModel()
  expect(sent).toContain('Review what I say: fix.')
  expect(sent).toContain('cuts the arguments of this command at spaces')
  expect(sent).toContain('fix the bug')
  const [fetched] = await api.get<PromptFetch[]>('/api/fetches')
  expect(fetched).toMatchObject({ slug: prompt.slug, version: 1, client: expect.stringMatching(/claude/i) })
})

test('Codex connects and takes a prompt.', async () => {
  model.wants('get_prompt', { name: prompt.slug, arguments: { what: 'the whole change' } })
  expect(await askCodex('Review it.')).toContain('The tool answered.')
  expect(sentToModel()).toContain('Review what I say: the whole change.')
})
