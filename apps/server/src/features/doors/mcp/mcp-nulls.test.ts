import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Mcp, startMcp } from '../../../testing/mcp.ts'

describe.each(routeDatabaseKinds)('what agents leave out by a null, on %s', (kind) => {
  let server: Mcp
  beforeAll(async () => {
    server = await startMcp(kind)
  })
  afterAll(() => server.close())

  test.each([
    { method: 'tools/list', params: null },
    { method: 'tools/list', params: { cursor: null, _meta: null } },
    { method: 'tools/call', params: { name: 'search_prompts', arguments: null } },
    { method: 'tools/call', params: { name: 'search_prompts', arguments: { query: null, limit: null } } },
  ])('A null parameter or argument is as if it were left out. ($method, $params)', async (message) => {
    const { token } = await server.createMcpToken({ allPrompts: true })
    const reply = await server.send(token, { jsonrpc: '2.0', id: 1, ...message })
    const text = await reply.text()
    expect([reply.status, text]).toEqual([200, expect.stringContaining('"result"')])
    expect(text).not.toContain('"isError":true')
  })
})
