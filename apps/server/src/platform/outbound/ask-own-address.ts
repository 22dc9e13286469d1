import { createGunzip } from 'node:zlib'
import { Agent } from 'undici'
import { createOpenConnector } from './open-connector.ts'

const MAX_BYTES = 1_000_000

interface OwnAddressCall {
  url: URL
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
}

export interface OwnAddressReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  pieces: { text: string; at: number }[]
}

/** Asks the program at an address of its own as a browser does, in one attempt without redirects. Fails as undici does. */
export async function askOwnAddress({
  url,
  headers,
  body,
  timeoutMs,
}: OwnAddressCall): Promise<OwnAddressReply> {
  const agent = new Agent({ connect: createOpenConnector() })
  const startedAt = performance.now()
  try {
    const reply = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'accept-encoding': 'gzip',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body ?? null,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const isPacked = reply.headers['content-encoding'] === 'gzip'
    const source = isPacked ? reply.body.pipe(createGunzip()) : reply.body
    reply.body.on('error', (error) => source.destroy(error))
    const pieces: OwnAddressReply['pieces'] = []
    let length = 0
    for await (const chunk of source as AsyncIterable<Buffer>) {
      pieces.push({ text: chunk.toString(), at: performance.now() - startedAt })
      length += chunk.length
      if (length > MAX_BYTES) break
    }
    const text = pieces.map((piece) => piece.text).join('')
    return { status: reply.statusCode, headers: reply.headers, text, pieces }
  } finally {
    await agent.destroy()
  }
}
