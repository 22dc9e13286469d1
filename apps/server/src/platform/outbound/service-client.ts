import { Agent, type Dispatcher, errors } from 'undici'
import { createOpenConnector } from './open-connector.ts'

export interface ServiceCall {
  url: URL
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  form?: Record<string, string>
  json?: string
  signal: AbortSignal
  maxBytes: number
}

export interface ServiceReply {
  status: number
  body: Buffer
  isCut: boolean
}

export type ServiceClient = ReturnType<typeof createServiceClient>

/** Calls services whose addresses are settings, never what a person typed: only clouds' own are refused, and no redirect is followed. */
export function createServiceClient() {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: createOpenConnector() })

  /** A read whose kept connection the service had just closed goes out once more, on a new one. */
  async function sent(method: 'GET' | 'POST', options: Omit<Dispatcher.RequestOptions, 'method'>) {
    const send = () => agent.request({ ...options, method })
    if (method !== 'GET') return send()
    return send().catch((error: unknown) => {
      if (!(error instanceof errors.SocketError) && !isReset(error)) throw error
      return send()
    })
  }

  return {
    async call({
      url,
      method = 'GET',
      headers,
      signal,
      maxBytes,
      ...sends
    }: ServiceCall): Promise<ServiceReply> {
      const { type, body = null } = bodyOf(sends)
      const reply = await sent(method, {
        origin: url.origin,
        path: url.pathname + url.search,
        headers: {
          accept: 'application/json',
          ...(type && { 'content-type': type }),
          ...headers,
        },
        body,
        signal,
      })
      const chunks: Buffer[] = []
      let length = 0
      for await (const chunk of reply.body as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        length += chunk.length
        if (length > maxBytes) break
      }
      const read = Buffer.concat(chunks)
      return { status: reply.statusCode, body: read.subarray(0, maxBytes), isCut: length > maxBytes }
    },

    close: () => agent.destroy(),
  }
}

function bodyOf({ form, json }: Pick<ServiceCall, 'form' | 'json'>): { type?: string; body?: string } {
  if (json !== undefined) return { type: 'application/json', body: json }
  if (form === undefined) return {}
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}
