import type { CreatedMcpToken, Prompt } from '@catenary/contracts'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect } from 'vitest'
import type { TestUser } from './harness.ts'
import { startPromptServer } from './prompt-server.ts'

export type Mcp = Awaited<ReturnType<typeof startMcp>>

/** A prompt server, with short ways to make tokens for agents and to connect the real clients by them. */
export async function startMcp(...options: Parameters<typeof startPromptServer>) {
  const server = await startPromptServer(...options)
  const url = new URL('/mcp', server.address)
  const closes: (() => Promise<void>)[] = []
  const opened = <Opened extends { close(): Promise<void> }>(client: Opened): Opened => {
    closes.push(() => client.close())
    return client
  }
  const requestInit = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  return {
    ...server,

    createMcpToken: async (fields: object, as: TestUser = server.owner) => {
      const body = { name: 'Laptop', ...fields }
      const reply = await server.request({ method: 'POST', url: '/api/mcp-tokens', as, body })
      expect(reply.status, reply.text).toBe(201)
      return reply.body as CreatedMcpToken
    },

    /** The client of the revision of 2026-07-28. */
    connect: async (token: string): Promise<Client> => {
      const client = new Client(
        { name: 'new-agent', version: '2.4.0' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      )
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: requestInit(token) }))
      return opened(client)
    },

    /** The client of the revisions before. */
    connectOld: async (token: string): Promise<OldClient> => {
      const client = new OldClient({ name: 'old-agent', version: '1.32.2' })
      const transport = new OldTransport(url, { requestInit: requestInit(token) })
      // Its types are of another TypeScript: `exactOptionalPropertyTypes` was off there.
      await client.connect(transport as Parameters<OldClient['connect']>[0])
      return opened(client)
    },

    /** One message, as it goes over the line. */
    send: (token: string | undefined, body: unknown, headers: object = {}) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: JSON.stringify(body),
      }),

    markSkill: async (prompt: Pick<Prompt, 'id'>, fields: object = {}, as: TestUser = server.owner) => {
      const body = { description: 'Says hello. Use it for greetings.', ...fields }
      const reply = await server.request({ method: 'PUT', url: `/api/prompts/${prompt.id}/skill`, as, body })
      expect(reply.status, reply.text).toBe(200)
      return reply.body
    },

    close: async () => {
      await Promise.allSettled(closes.map((close) => close()))
      await server.close()
    },
  }
}

/** The new client and the old one alike, but for where the options stand. */
export function callTool(
  client: Client | OldClient,
  call: Parameters<Client['callTool']>[0],
  options: { onprogress: (progress: unknown) => void },
) {
  if (client instanceof OldClient) return client.callTool(call, undefined, options)
  return client.callTool(call, options)
}

/** The texts of a tool's answer. */
export function textsOf(answer: unknown): string[] {
  const { content = [] } = answer as { content?: { text?: string }[] }
  return content.map(({ text = '' }) => text)
}
