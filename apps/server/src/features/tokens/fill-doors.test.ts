import type { CreatedChainToken, Prompt, ScheduledRun } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Mcp, startMcp } from '../../testing/mcp.ts'

const SECRET = 'Zebra-4711-Quartz'

describe.each(routeDatabaseKinds)('doors that fill in private values, on %s', (kind) => {
  let server: Mcp
  /** Who has the value. */
  let victim: TestUser
  let mallory: TestUser
  beforeAll(async () => {
    server = await startMcp(kind)
    victim = server.owner
    mallory = server.other
    await server.createVariable(victim, { name: 'openai_key', content: SECRET })
    await server.createVariable(victim, { name: 'client', content: 'Private-Client' })
    await server.createVariable(victim, { name: 'house', content: 'Public-House', isPublic: true })
  })
  afterAll(() => server.close())

  const send = async <T>(as: TestUser, method: 'POST' | 'PUT' | 'PATCH', url: string, body: unknown) => {
    const reply = await server.request({ method, url, body, as })
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.body as T
  }
  const write = (as: TestUser, { id, title }: Pick<Prompt, 'id' | 'title'>, content: string) =>
    send<Prompt>(as, 'PUT', `/api/prompts/${id}`, { title, content, categoryId: server.categoryId })
  const shareWith = (prompt: Prompt, username: string) =>
    send(victim, 'PUT', `/api/prompts/${prompt.id}/shares`, [{ username, role: 'editor' }])
  const getPrompt = async (token: string, name: string) => {
    const client = await server.connect(token)
    return client.callTool({ name: 'get_prompt', arguments: { name } })
  }
  const fetchResolved = async (name: string, token: string) =>
    JSON.stringify(await (await server.fetchPrompt(`${name}?resolve=true&label=latest`, token)).json())

  const DOORS: [string, (prompt: Prompt, fills: object) => Promise<() => Promise<string>>][] = [
    [
      'a read token that resolves',
      async (prompt, fills) => {
        const { token } = await server.createReadToken([prompt.id], fills)
        return () => fetchResolved(prompt.slug, token)
      },
    ],
    [
      'a read token that runs',
      async (prompt, fills) => {
        const { token } = await server.createReadToken([prompt.id], { mayRun: true, ...fills })
        return async () => {
          const before = server.sent().length
          const reply = await fetch(`${server.address}/v1/responses`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
            body: JSON.stringify({ model: 'custom', prompt: { id: prompt.slug }, input: 'Go.' }),
          })
          const text = await reply.text()
          return `${reply.status} ${text} ${JSON.stringify(server.sent().slice(before))}`
        }
      },
    ],
    [
      'an agent’s prompt',
      async (prompt, fills) => {
        const { token } = await server.createMcpToken({ promptIds: [prompt.id], ...fills })
        return async () => JSON.stringify(await getPrompt(token, prompt.slug))
      },
    ],
    [
      'an agent’s skill',
      async (prompt, fills) => {
        await server.markSkill(prompt, { parts: [] })
        const { token } = await server.createMcpToken({ promptIds: [prompt.id], ...fills })
        return async () => {
          const client = await server.connect(token)
          return JSON.stringify(await client.readResource({ uri: `skill://${prompt.slug}/SKILL.md` }))
        }
      },
    ],
    [
      'a chain’s token, by a linked prompt',
      async (prompt, fills) => {
        const chain = await server.buildChain([{ promptId: prompt.id }])
        const body = { name: 'CI', chainId: chain.id, ...fills }
        const { token } = await send<CreatedChainToken>(victim, 'POST', '/api/tokens', body)
        return () => callChain(token)
      },
    ],
    [
      'a Best Chain token',
      async (prompt, fills) => {
        const chain = await server.buildChain([{ promptId: prompt.id }])
        const body = { name: 'Best', includedChainIds: [chain.id], ...fills }
        const { token } = await send<CreatedChainToken>(victim, 'POST', '/api/best-tokens', body)
        return () => callChain(token)
      },
    ],
    [
      'an agent’s chain',
      async (prompt, fills) => {
        const chain = await server.buildChain([{ promptId: prompt.id }])
        const { token } = await server.createMcpToken({ chainIds: [chain.id], ...fills })
        return async () => {
          const before = server.sent().length
          const client = await server.connect(token)
          const tool = (await client.listTools()).tools.find(({ name }) => name.startsWith('chain_'))
          const answer = await client.callTool({ name: tool?.name ?? '', arguments: { input: 'Go.' } })
          return `${JSON.stringify(answer)} ${JSON.stringify(server.sent().slice(before))}`
        }
      },
    ],
    [
      'a schedule',
      async (prompt, fills) => {
        const chain = await server.buildChain([{ promptId: prompt.id }])
        const scheduledTime = new Date(Date.now() + 3_600_000).toISOString()
        const made = await send<ScheduledRun>(victim, 'POST', `/api/chains/${chain.id}/schedule`, {
          scheduledTime,
          ...fills,
        })
        return async () => {
          const before = server.sent().length
          const url = `/api/scheduled-runs/${made.id}/execute`
          const run = await send<{ id: number }>(victim, 'POST', url, {})
          const ended = await server.ended(run.id, victim)
          return `${JSON.stringify(ended)} ${JSON.stringify(server.sent().slice(before))}`
        }
      },
    ],
  ]

  async function callChain(token: string): Promise<string> {
    const before = server.sent().length
    const reply = await fetch(`${server.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Go.' }] }),
    })
    return `${reply.status} ${await reply.text()} ${JSON.stringify(server.sent().slice(before))}`
  }

  describe.each(DOORS)('%s', (_door, open) => {
    test('Every door of tokens and schedules fills in own names and public ones.', async () => {
      const own = await server.createPrompt(victim, { title: 'Mine', content: 'k=$<openai_key>' })
      const ask = await open(own, {})
      expect(await ask()).toContain(SECRET)
      await shareWith(own, 'Oskar')
      await write(mallory, own, 'k=$<openai_key> $<house>')
      const said = await ask()
      expect(said).toContain(SECRET)
      expect(said).toContain('Public-House')
    })

    test('Every door of tokens and schedules fills in another’s name that is listed, and no other.', async () => {
      const shared = await server.createPrompt(victim, { title: 'Shared', content: 'k=' })
      await shareWith(shared, 'Oskar')
      await write(mallory, shared, 'k=$<openai_key>')
      expect(await (await open(shared, {}))()).toContain(SECRET)
      expect(await (await open(shared, { fills: [] }))()).not.toContain(SECRET)
      const other = { kind: 'prompt', id: shared.id, name: 'client' }
      expect(await (await open(shared, { fills: [other] }))()).not.toContain(SECRET)
    })

    test('A door of tokens or schedules fills in no name that came later; such a run stops and names it.', async () => {
      const shared = await server.createPrompt(victim, { title: 'Later', content: 'k=' })
      await shareWith(shared, 'Oskar')
      const ask = await open(shared, {})
      await ask()
      await write(mallory, shared, 'k=$<openai_key>')
      const said = await ask()
      expect(said).not.toContain(SECRET)
      expect(said).toContain('openai_key')
    })
  })
})
