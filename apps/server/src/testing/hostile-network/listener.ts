import { createServer } from 'node:http'
import type { Socket } from 'node:net'

/** What this machine answers on any of its addresses. */
export const REACHED = 'reached'
const FENCE = '127.9.9.9 80'

/** What came back for a URL, and the addresses and ports that were reached. */
export type Tries = Record<string, { outcome: string; hits: string[] }>

/** Listens on every address there is; `/?to=` redirects. */
export async function startListener() {
  const hits: string[] = []
  for (const port of [80, 443, 8080]) {
    const server = createServer(({ url }, response) => {
      response.setHeader('connection', 'close')
      const target = new URL(url ?? '/', 'http://any.test').searchParams.get('to')
      if (target === null) response.end(REACHED)
      else response.writeHead(302, { location: target }).end()
    })
    server.on('connection', ({ localAddress, localPort }: Socket) => {
      hits.push(`${localAddress?.replace(/^::ffff:(?=\d+\.)/, '')} ${localPort}`)
    })
    await new Promise<void>((resolve) => server.listen(port, '::', resolve))
    server.unref()
  }

  const takeHits = async () => {
    // Connections are accepted in order: once this one is counted, so is each before it.
    await fetch('http://127.9.9.9/')
    return hits.splice(0).filter((hit) => hit !== FENCE)
  }

  return {
    /** The addresses and ports that were reached since the last call. */
    takeHits,

    /** Asks for one URL after the other. */
    tryEach: async (urls: string[], ask: (url: string) => Promise<string>): Promise<Tries> => {
      const tries: Tries = {}
      for (const url of urls) {
        const outcome = await ask(url).catch((error: unknown) => String(error))
        tries[url] = { outcome, hits: await takeHits() }
      }
      return tries
    },
  }
}
