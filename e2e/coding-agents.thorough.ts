import { type ExecFileException, execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Chain, CreatedChainToken, RunDetails } from '@catenary/contracts'
import { apiExamples } from '@catenary/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { AGENT_PROGRAMS, ensureAgents, QUIET_AGENTS } from './harness/agents.ts'
import { type Api, createApi } from './harness/api.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const run = promisify(execFile)
const { claude, codex, openCode } = AGENT_PROGRAMS

let provider: FakeProvider
let server: RunningServer
let api: Api
let home: string
beforeAll(async () => {
  await ensureAgents()
  provider = await startFakeProvider({ vendor: 'openai' })
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

beforeEach(() => {
  provider.reset()
  provider.replyByDefault({ text: ['The chain ', 'says ok'] })
})

async function serveChain(steps = ['Answer: {{input}}']) {
  const { id } = await api.post<Chain>('/api/chains', { name: 'Agent' })
  for (const [position, content] of steps.entries()) {
    const step = {
      content,
      outputVariableName: `out_${position}`,
      model: 'openai',
      title: `Part ${position + 1}`,
    }
    await api.post(`/api/chains/${id}/steps`, step)
  }
  const { token } = await api.post<CreatedChainToken>('/api/tokens', { name: 'Agent', chainId: id })
  const lastRun = async () => (await api.get<RunDetails[]>(`/api/chains/${id}/executions`))[0]
  return { id, token, lastRun }
}

interface Asked {
  id: number
  token: string
}

/** What the agent printed; it has no other settings, and nothing to read. */
async function runAgent(program: string, args: string[], env: Record<string, string>): Promise<string> {
  const { PATH = '' } = process.env
  const own = { PATH, HOME: home, TERM: 'dumb', ...env }
  const running = run(program, args, { cwd: home, env: own, timeout: 110_000 })
  running.child.stdin?.end()
  const { stdout, stderr } = await running.catch((error: ExecFileException) => {
    // Its own time is over: it would have gone on.
    if (error.killed) throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}\n${server.logs()}`)
    return { stdout: `${error.stdout}`, stderr: `${error.stderr}` }
  })
  return `${stdout}\n${stderr}`
}

/** Writes the settings of the usage example. */
async function writeExample({ id, client, file }: { id: number; client: string; file: string }) {
  const model = `chain-${id}`
  const example = apiExamples({ address: server.url, model }).find((one) => one.id === client)
  await mkdir(dirname(join(home, file)), { recursive: true })
  await writeFile(join(home, file), example?.code ?? '')
}

const AGENTS = {
  'Claude Code': ({ id, token }: Asked) =>
    runAgent(claude, ['-p', 'say ok', '--model', `claude-chain-${id}`, '--output-format', 'json'], {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_AUTH_TOKEN: token,
      ...QUIET_AGENTS,
    }),
  Codex: async ({ id, token }: Asked) => {
    await writeExample({ id, client: 'codex', file: '.codex/config.toml' })
    return runAgent(codex, ['exec', '--skip-git-repo-check', 'say ok'], { CATENARY_TOKEN: token })
  },
  OpenCode: async ({ id, token }: Asked) => {
    await writeExample({ id, client: 'opencode', file: '.config/opencode/opencode.json' })
    return runAgent(openCode, ['run', 'say ok'], { CATENARY_TOKEN: token, ...QUIET_AGENTS })
  },
}

const sent = () =>
  provider.journal.map(({ body }) =>
    (body.messages as { content: string }[]).at(-1)?.content.replaceAll('"', ''),
  )

test.each([
  ['Claude Code', '/v1/messages', ['tools', 'thinking', 'anthropic-beta']],
  ['Codex', '/v1/responses', ['tools', 'include', 'prompt_cache_key']],
  ['OpenCode', '/v1/chat/completions', ['tools']],
] as const)(
  'Claude Code, Codex and OpenCode run a chain in print mode as they are; their reminders reach no step, and titles ask no model. (%s)',
  async (agent, path, ignored) => {
    const { id, token, lastRun } = await serveChain()
    expect(await AGENTS[agent]({ id, token })).toContain('The chain says ok')
    expect(await lastRun()).toMatchObject({
      ...{ status: 'completed', trigger: 'token', token: { name: 'Agent' } },
      apiCall: { path, ignored: expect.arrayContaining([...ignored]) },
    })
    expect(sent()).toEqual(['Answer: say ok'])
  },
)

describe.each(Object.entries(AGENTS))('%s', (_name, ask) => {
  test('Claude Code, Codex and OpenCode pay once for a chain that fails, by their usage examples.', async () => {
    const { id, token } = await serveChain(['one {{input}}', 'two {{out_0}}'])
    provider.reply({ text: 'A' })
    provider.replyByDefault({ status: 400 })
    expect(await ask({ id, token })).toContain('Part 2')
    expect(sent()).toEqual(['one say ok', 'two A'])
  })

  test('a wrong token fails at once, and asks no model', async () => {
    const { id } = await serveChain()
    expect(await ask({ id, token: 'none' })).toMatch(/401|not known|mistyped/)
    expect(provider.journal).toEqual([])
  })
})
