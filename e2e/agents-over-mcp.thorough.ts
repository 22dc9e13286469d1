import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Chain, CreatedChainToken, CreatedMcpToken, OwnToken } from '@catenary/contracts'
import { type ApiExample, apiExamples, mcpExamples } from '@catenary/domain'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { AGENTS_PATH, ensureAgents, QUIET_AGENTS } from './harness/agents.ts'
import { type Api, createApi } from './harness/api.ts'
import { PATIENCE } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 240_000

let server: RunningServer
let api: Api
let home: string
let token: CreatedMcpToken
beforeAll(async () => {
  await ensureAgents()
  // The sandbox answers.
  server = await startServer()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  const prompt = { title: 'Welcome letter', content: 'Dear $<customer>!', categoryId: 1 }
  await api.post('/api/prompts', prompt)
}, 600_000)
afterAll(() => server?.dispose())
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'catenary-agent-'))
  token = await api.post<CreatedMcpToken>('/api/mcp-tokens', { name: 'Agent', allPrompts: true })
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** Pastes lines into a terminal that has the token; gives what they print. */
async function paste(lines: string, env: Record<string, string> = {}): Promise<string> {
  const { PATH = '' } = process.env
  const own = { PATH: `${AGENTS_PATH}:${PATH}`, HOME: home, TERM: 'dumb', ...QUIET_AGENTS }
  const running = run('bash', ['-c', lines], {
    ...{ cwd: home, timeout: 110_000 },
    env: { ...own, CATENARY_TOKEN: token.token, ...env },
  })
  running.child.stdin?.end()
  const { stdout, stderr } = await running
  return `${stdout}\n${stderr}`
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, file)), { recursive: true })
  await writeFile(join(home, file), text)
}

function find(examples: ApiExample[], wanted: string): string {
  const found = examples.find(({ id }) => id === wanted)
  if (!found) throw new Error(`No example ${wanted}`)
  return found.code
}

/** As Connect shows who came last. */
const lastClient = async () =>
  (await api.get<OwnToken[]>('/api/own-tokens')).find(({ id }) => id === token.id)?.lastClient

test(
  'The line for Claude Code connects as it stands, and Connect names the client.',
  async () => {
    await paste(find(mcpExamples({ address: server.url }), 'claude-code-mcp'))
    expect(await paste('claude mcp list')).toMatch(/catenary: .*\/mcp.*Connected/)
    await expect.poll(lastClient, PATIENCE).toMatch(/claude/i)
  },
  TIMEOUT_MS,
)

test(
  'The line for Codex connects as it stands, and Connect names the client.',
  async () => {
    const { id } = await api.post<Chain>('/api/chains', { name: 'Agent' })
    const step = { content: 'Answer: {{input}}', outputVariableName: 'answer', model: 'claude' }
    await api.post(`/api/chains/${id}/steps`, step)
    const model = await api.post<CreatedChainToken>('/api/tokens', { name: 'Model', chainId: id })
    const config = find(apiExamples({ address: server.url, model: `chain-${id}` }), 'codex')
    // Each of its two connections has a token of its own here.
    await write('.codex/config.toml', config.replace('"CATENARY_TOKEN"', '"CHAIN_TOKEN"'))
    await paste(find(mcpExamples({ address: server.url }), 'codex-mcp'))
    const said = await paste('codex exec --skip-git-repo-check "say ok" < /dev/null', {
      CHAIN_TOKEN: model.token,
    })
    expect(said).toContain('[sandbox]')
    await expect.poll(lastClient, PATIENCE).toMatch(/codex/i)
  },
  TIMEOUT_MS,
)

test(
  'The file for OpenCode connects as it stands, and Connect names the client.',
  async () => {
    const config = find(mcpExamples({ address: server.url }), 'opencode-mcp')
    await write('.config/opencode/opencode.json', config)
    expect(await paste('opencode mcp list')).toMatch(/catenary.*connected/is)
    await expect.poll(lastClient, PATIENCE).toMatch(/opencode/i)
  },
  TIMEOUT_MS,
)
