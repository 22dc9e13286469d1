import {
  type CreatedFolderToken,
  type CreatedOwnToken,
  listEndpoints,
  TOKEN_CALLERS,
} from '@catenary/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Mcp, startMcp } from '../../testing/mcp.ts'

const CALLERS: readonly string[] = TOKEN_CALLERS
const KEYS = listEndpoints().flatMap(([key, { who }]) => (CALLERS.includes(who) ? [key] : []))
const FILE = '---\ncatenary: prompt\ntitle: Quite new\n---\n\nHello\n'
const messages = [{ role: 'user', content: 'Hello' }]

interface Asked {
  key: string
  token: string
  /** Unless given, the key's. */
  path?: string
  body?: object
  status?: number
}

let server: Mcp
let calls: Asked[]
beforeAll(async () => {
  server = await startMcp('embedded')
  const { owner } = server
  const { chain, value } = await server.serve(['{{input}}'])
  const prompt = await server.createPrompt(owner)
  const skill = await server.createPrompt(owner)
  await server.markSkill(skill, { description: 'Greets.' })
  const { token: best } = await server.createBestToken()
  const { token: read } = await server.createReadToken([prompt.id, skill.id], { mayRun: true })
  const { token: agent } = await server.createMcpToken({ allPrompts: true, allChains: true })
  const may = { name: 'CI', mayWrite: true, mayEvaluate: true }
  const made = await server.request({ method: 'POST', url: '/api/folder-tokens', as: owner, body: may })
  const { token: folder } = made.body as CreatedFolderToken
  const address = { name: 'GitHub', scopes: [`chain:${chain.id}`, 'hook'] }
  const hook = await server.request({ method: 'POST', url: '/api/own-tokens', as: owner, body: address })
  const { token: own } = hook.body as CreatedOwnToken
  const asked = { model: 'any', messages }
  const named = { id: prompt.slug, variables: { tone: 'calm', customer: 'Anna' } }
  const unknown = { path: '/v1/responses/resp_1', token: value, status: 404 }
  const toAgents = (method: string, params: object) => ({
    ...{ key: 'POST /mcp', token: agent, body: { jsonrpc: '2.0', id: 1, method, params } },
  })
  calls = [
    { key: 'POST /v1/messages', token: value, body: { ...asked, max_tokens: 9 } },
    { key: 'POST /v1/messages/count_tokens', token: value, body: asked },
    { key: 'POST /v1/chat/completions', token: value, body: asked },
    { key: 'POST /v1/responses', token: value, body: { model: 'any', input: 'Hello' } },
    { key: 'POST /v1/responses', token: read, body: { prompt: named, input: 'Hello' } },
    { key: 'GET /v1/responses/{id}', ...unknown },
    { key: 'POST /v1/responses/{id}/cancel', ...unknown, path: `${unknown.path}/cancel` },
    { key: 'DELETE /v1/responses/{id}', ...unknown },
    { key: 'POST /v1/route', token: best, body: { messages } },
    { key: 'GET /v1/models', token: value },
    { key: 'GET /v1/models/{model}', path: `/v1/models/chain-${chain.id}`, token: value },
    toAgents('tools/list', {}),
    toAgents('prompts/get', { name: prompt.slug, arguments: named.variables }),
    toAgents('tools/call', { name: `chain_${chain.slug}`, arguments: { input: 'Hello' } }),
    { key: 'GET /api/public/v2/prompts', token: read },
    {
      ...{ key: 'GET /api/public/v2/prompts/{name}', token: read },
      path: `/api/public/v2/prompts/${prompt.slug}`,
    },
    { key: 'GET /api/skills/{file}', path: `/api/skills/${skill.slug}.zip`, token: agent },
    {
      ...{ key: 'POST /hooks/{token}', path: `/hooks/${own}`, token: 'none' },
      ...{ body: { city: 'Graz' }, status: 202 },
    },
    { key: 'GET /api/folder', token: folder },
    {
      ...{ key: 'POST /api/folder/push', token: folder },
      body: { files: [{ name: 'prompts/quite-new.md', text: FILE, base: null }], dryRun: true },
    },
    {
      ...{ key: 'POST /api/folder/evaluations', token: folder, status: 404 },
      body: { suite: 'a/b', label: 'latest', ceilingUsd: 1 },
    },
    {
      ...{ key: 'GET /api/folder/evaluations/{id}', token: folder, status: 404 },
      path: '/api/folder/evaluations/1',
    },
  ]
})
afterAll(() => server.close())

test.each(KEYS)(
  'A call of each door looks up once what its token may do, also where nothing is kept in memory. (%s)',
  async (key) => {
    const [method = '', ownPath = ''] = key.split(' ')
    const listening = vi.spyOn(server.client.rowChanges, 'isListening', 'get').mockReturnValue(false)
    const query = vi.spyOn(server.client.pool, 'query')
    const ofKey = calls.filter((call) => call.key === key)
    expect(ofKey.length).toBeGreaterThan(0)
    for (const { path = ownPath, token, body, status = 200 } of ofKey) {
      query.mockClear()
      const reply = await fetch(`${server.address}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json, text/event-stream',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      expect(reply.status, text).toBe(status)
      const statements = query.mock.calls.map(([asked]: unknown[]) => String(Object(asked).text ?? asked))
      expect(statements.filter((said) => said.includes('previous_sha256'))).toHaveLength(1)
    }
    query.mockRestore()
    listening.mockRestore()
  },
)
