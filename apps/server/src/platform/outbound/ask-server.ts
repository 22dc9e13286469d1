import { EnvHttpProxyAgent } from 'undici'
import { createOpenConnector } from './open-connector.ts'

interface ServerCall {
  url: URL
  token: string
  body?: object
  timeoutMs: number
  maxBytes: number
}

export interface ServerReply {
  status: number
  type: string
  bytes: Buffer
}

export class ReplyTooLongError extends Error {}

/** Asks another Catenary for a command, by the proxies of the environment and without redirects. Fails as undici does. */
export async function askServer({ url, token, body, timeoutMs, maxBytes }: ServerCall): Promise<ServerReply> {
  const agent = new EnvHttpProxyAgent({ allowH2: false, connect: createOpenConnector() })
  try {
    const reply = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'user-agent': 'catenary',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of reply.body as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxBytes) throw new ReplyTooLongError()
      chunks.push(chunk)
    }
    const type = String(reply.headers['content-type'] ?? '')
    return { status: reply.statusCode, type, bytes: Buffer.concat(chunks) }
  } finally {
    await agent.destroy()
  }
}
