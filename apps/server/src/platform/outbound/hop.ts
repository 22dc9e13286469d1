import type { Readable } from 'node:stream'
import { Client } from 'undici'
import type { createAllowedHosts } from './allowed-hosts.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import type { ResolveName } from './name-resolver.ts'

export interface Guard {
  resolve: ResolveName
  isAllowed: ReturnType<typeof createAllowedHosts>
}

export interface Hop {
  url: URL
  headers: Record<string, string>
  signal: AbortSignal
  body?: string
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

export async function askHop<Result>(
  { url, headers, signal, body: sent }: Hop,
  { resolve, isAllowed }: Guard,
  read: (answer: Answer) => Promise<Result>,
): Promise<Result> {
  const connect = createGuardedConnector({ resolve, isAllowed: isAllowed(url), signal })
  // A client for each hop, without pipelining: no connection outlives the check that it passed.
  const client = new Client(url.origin, { connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 })
  const stop = () => void client.destroy(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    const path = url.pathname + url.search
    const method = sent === undefined ? 'GET' : 'POST'
    const {
      statusCode: status,
      headers: given,
      body,
    } = await client.request({ method, path, headers, body: sent ?? null })
    // An unread body ends with an error when the client closes.
    body.on('error', () => {})
    return await read({ status, headers: given, body })
  } finally {
    signal.removeEventListener('abort', stop)
    await client.destroy()
  }
}

export function one(header: string | string[] | undefined): string {
  return [header].flat()[0] ?? ''
}
