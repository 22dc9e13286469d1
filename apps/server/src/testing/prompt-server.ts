import type { CreatedReadToken, Prompt } from '@catenary/contracts'
import { expect } from 'vitest'
import { startGateway } from './gateway.ts'
import type { TestUser } from './harness.ts'

export type PromptServer = Awaited<ReturnType<typeof startPromptServer>>

/** A gateway with prompts whose versions have labels, and short ways to make read tokens and to fetch by them. */
export async function startPromptServer(...options: Parameters<typeof startGateway>) {
  const gateway = await startGateway(...options)
  const { request, owner, categoryId, address } = gateway

  const createReadToken = async (promptIds: number[], fields: object = {}, as: TestUser = owner) => {
    const body = { name: 'Billing', promptIds, ...fields }
    const reply = await request({ method: 'POST', url: '/api/read-tokens', as, body })
    expect(reply.status, reply.text).toBe(201)
    return reply.body as CreatedReadToken
  }

  const ask = (rest: string, token: string, headers: object) =>
    fetch(`${address}/api/public/v2/prompts${rest}`, {
      headers: { authorization: `Basic ${Buffer.from(`pk-any:${token}`).toString('base64')}`, ...headers },
    })

  return {
    ...gateway,
    createReadToken,

    /** Saves another text: one more version. */
    saveText: async (id: number, content: string, fields: object = {}): Promise<Prompt> => {
      const body = { title: 'Welcome', content, categoryId, ...fields }
      const reply = await request({ method: 'PUT', url: `/api/prompts/${id}`, as: owner, body })
      expect(reply.status, reply.text).toBe(200)
      return reply.body as Prompt
    },

    moveLabel: async (id: number, label: string, version: number, expectedVersion: number | null = null) => {
      const url = `/api/prompts/${id}/labels/${label}`
      const reply = await request({ method: 'PUT', url, as: owner, body: { version, expectedVersion } })
      expect(reply.status, reply.text).toBe(200)
    },

    removeLabel: async (id: number, label: string, expectedVersion: number) => {
      const url = `/api/prompts/${id}/labels/${label}?expectedVersion=${expectedVersion}`
      const reply = await request({ method: 'DELETE', url, as: owner })
      expect(reply.status, reply.text).toBe(200)
    },

    /** `name` with its query, as a client with Basic authentication asks. */
    fetchPrompt: (name: string, token: string, headers: object = {}) => ask(`/${name}`, token, headers),
    listPrompts: (query: string, token: string) => ask(`?${query}`, token, {}),
  }
}
