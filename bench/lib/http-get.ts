import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'

export const agent = new Agent({ keepAlive: true })

export interface Call {
  url: string
  headers?: OutgoingHttpHeaders
}

/** Reads the whole reply, as it arrives on the wire. */
export function get({ url, headers = {} }: Call): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const accept = { 'accept-encoding': 'gzip, br' }
    request(url, { agent, headers: { ...accept, ...headers } }, (reply) => {
      reply.on('end', () => resolve(reply)).on('error', reject)
      reply.resume()
    })
      .on('error', reject)
      .end()
  })
}

/** The milliseconds that the calls take together. */
export async function time({ calls, status }: { calls: () => Promise<IncomingMessage[]>; status: number }) {
  const start = performance.now()
  for (const reply of await calls()) {
    if (reply.statusCode !== status) throw new Error(`expected ${status}, got ${reply.statusCode}`)
  }
  return performance.now() - start
}

export const timeOne = ({ status = 200, ...call }: Call & { status?: number }) =>
  time({ calls: async () => [await get(call)], status })
