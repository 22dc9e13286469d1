import type { Chain, CreatedBestToken, CreatedChainToken, RunDetails } from '@catenary/contracts'
import { expect } from 'vitest'
import { type ChainLibrary, startChainLibrary } from './chain-library.ts'

export type Gateway = Awaited<ReturnType<typeof startGateway>>

/** A library of chains that listens, and short ways to make tokens and to call chains by them. */
export async function startGateway(...options: Parameters<typeof startChainLibrary>) {
  const library: ChainLibrary = await startChainLibrary(...options)
  await library.app.start()
  const address = await library.http.listen({ host: '127.0.0.1', port: 0 })

  const create = async <T>(url: string, body: object, as = library.owner): Promise<T> => {
    const reply = await library.request({ method: 'POST', url, as, body })
    expect(reply.status, reply.text).toBe(201)
    return reply.body as T
  }
  const createToken = (chainId: number, fields: object = {}, as = library.owner) =>
    create<CreatedChainToken>('/api/tokens', { name: 'Helpdesk', chainId, ...fields }, as)
  const post = (path: string, token: string, body: object, headers: object = {}, signal?: AbortSignal) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })

  return {
    ...library,
    address,
    createToken,
    createBestToken: (fields: object = {}, as = library.owner) =>
      create<CreatedBestToken>('/api/best-tokens', { name: 'Front desk', ...fields }, as),
    /** A chain of one step that passes the input on, unless steps are given. */
    serve: async (steps: (string | object)[] = ['{{input}}'], fields: object = {}) => {
      const chain: Chain = await library.buildChain(steps)
      const token = await createToken(chain.id, fields)
      return { chain, token, value: token.token, model: `chain-${chain.id}` }
    },
    post,
    get: (path: string, token: string, headers: object = {}) =>
      fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } }),
    /** The newest run of a chain. */
    lastRun: async (chainId: number): Promise<RunDetails> => {
      const url = `/api/chains/${chainId}/executions`
      const [newest] = (await library.request({ url, as: library.owner })).body as RunDetails[]
      return library.find(newest?.id ?? 0)
    },
  }
}

/** Ids, times and signatures of a stream, which differ each time, behind their kinds. */
export function maskIds(text: string): string {
  return text
    .replace(/"(id|item_id|request_id)":"([a-z]*[_-]?)[\w-]+"/g, '"$1":"$2…"')
    .replace(/"(created|created_at)":\d+/g, '"$1":0')
    .replace(/chain-\d+/g, 'chain-N')
}

/** A stream as it went over the line, an event a line. */
export async function eventsOf(reply: Response): Promise<string[]> {
  expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const text = maskIds(await reply.text())
  expect(text.endsWith('\n\n')).toBe(true)
  return text.slice(0, -2).split('\n\n')
}
