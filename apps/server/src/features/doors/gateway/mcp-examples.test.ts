import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { CreatedMcpToken } from '@catenary/contracts'
import { type ApiExample, mcpExamples } from '@catenary/domain'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PromptServer, startPromptServer } from '../../../testing/prompt-server.ts'

const run = promisify(execFile)

let server: PromptServer
let token: string
let slug: string
beforeAll(async () => {
  server = await startPromptServer('embedded')
  const prompt = await server.createPrompt(server.owner, { content: 'Dear $<customer>!' })
  slug = prompt.slug
  const body = { name: 'Laptop', promptIds: [prompt.id], allChains: true }
  const reply = await server.request({ method: 'POST', url: '/api/mcp-tokens', as: server.owner, body })
  expect(reply.status, reply.text).toBe(201)
  token = (reply.body as CreatedMcpToken).token
})
afterAll(() => server.close())

function exampleOf(id: string): ApiExample {
  const found = mcpExamples({ address: server.address }).find((example) => example.id === id)
  if (!found) throw new Error(`No example ${id}`)
  return found
}

interface Remote {
  url: string
  headers: Record<string, string>
}

/** The names of the prompts that a client gets which connects as it was told. */
async function promptsAt({ url, headers }: Remote): Promise<string[]> {
  const client = new Client({ name: 'configured', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  try {
    return (await client.listPrompts()).prompts.map(({ name }) => name)
  } finally {
    await client.close()
  }
}

/** What a shell makes of a line, with the token in its environment. */
async function wordsOf({ code }: ApiExample): Promise<string[]> {
  const { PATH = '' } = process.env
  const print = '() { printf "%s\\0" "$@"; }'
  const [program = ''] = code.split(' ')
  const script = `${program} ${print}\n${code}`
  const { stdout } = await run('bash', ['-c', script], { env: { PATH, CATENARY_TOKEN: token } })
  return stdout.split('\0').slice(0, -1)
}

test('the line for Claude Code names the server, its address and the token in the form that it documents', async () => {
  const [add, verb, transport, kind, name, url = '', flag, header = ''] = await wordsOf(
    exampleOf('claude-code-mcp'),
  )
  expect([add, verb, transport, kind, name, flag]).toEqual(['mcp', 'add', '-t', 'http', 'catenary', '-H'])
  const [key = '', value = ''] = header.split(': ')
  expect(await promptsAt({ url, headers: { [key]: value } })).toEqual([slug])
})

test('the line for Codex names the address and the variable that holds the token', async () => {
  const [add, verb, name, urlFlag, url = '', flag, variable] = await wordsOf(exampleOf('codex-mcp'))
  expect([add, verb, name, urlFlag, flag]).toEqual([
    ...['mcp', 'add', 'catenary', '--url', '--bearer-token-env-var'],
  ])
  expect(variable).toBe('CATENARY_TOKEN')
  expect(await promptsAt({ url, headers: { Authorization: `Bearer ${token}` } })).toEqual([slug])
})

/** No program of theirs is on npm: the file is read as each documents it. */
test('The file for Cursor, which npm does not have, is read as documented and connected with by the SDK’s client.', async () => {
  const config = JSON.parse(exampleOf('cursor-mcp').code) as { mcpServers: Record<string, Remote> }
  expect(Object.keys(config)).toEqual(['mcpServers'])
  const { catenary, ...others } = config.mcpServers
  expect(others).toEqual({})
  expect(Object.keys(catenary ?? {}).toSorted()).toEqual(['headers', 'url'])
  expect(await promptsAt(filled(catenary, `$\{env:CATENARY_TOKEN}`))).toEqual([slug])
})

test('The file for VS Code, which npm does not have, is read as documented and connected with by the SDK’s client.', async () => {
  const config = JSON.parse(exampleOf('vscode-mcp').code) as {
    inputs: { type: string; id: string; description: string; password: boolean }[]
    servers: Record<string, Remote & { type: string }>
  }
  expect(config.inputs).toEqual([
    { type: 'promptString', id: 'catenary-token', description: expect.any(String), password: true },
  ])
  expect(config.servers.catenary?.type).toBe('http')
  expect(await promptsAt(filled(config.servers.catenary, `$\{input:catenary-token}`))).toEqual([slug])
})

test('the file for OpenCode has a remote server with a header that it fills from the environment', async () => {
  const config = JSON.parse(exampleOf('opencode-mcp').code) as {
    mcp: Record<string, Remote & { type: string; oauth: boolean }>
  }
  expect(config.mcp.catenary).toMatchObject({ type: 'remote', oauth: false })
  expect(await promptsAt(filled(config.mcp.catenary, '{env:CATENARY_TOKEN}'))).toEqual([slug])
})

test('the call by curl runs as it stands, and lists tools', async () => {
  const { PATH = '' } = process.env
  const options = { env: { PATH, CATENARY_TOKEN: token } }
  const { stdout } = await run('bash', ['-c', exampleOf('mcp-curl').code], options)
  expect(stdout).toContain('"get_prompt"')
})

/** As the client fills it in; the placeholder stands in it once. */
function filled(remote: Remote | undefined, placeholder: string): Remote {
  const text = JSON.stringify(remote)
  expect(text.split(placeholder)).toHaveLength(2)
  return JSON.parse(text.replace(placeholder, token)) as Remote
}
