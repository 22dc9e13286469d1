import { connect, createServer, type Socket } from 'node:net'

/** A way to a PostgreSQL that carries nothing more from a chosen moment on. */
export interface HeldPostgres {
  url: string
  /**
   * Waits until texts that match were sent, one after the other, then holds: what has the last of them does not arrive,
   * or with `isCarried` arrives while its answer does not. Rejects once `ended` has: nothing was held.
   */
  holdAt(texts: RegExp[], options: { ended: Promise<unknown>; isCarried?: boolean }): Promise<void>
  /** Ends the connections that are held; later ones are good. */
  release(): void
  close(): void
}

/** Puts a port of its own before the server at `url`, which must not be asked for TLS. */
export async function holdPostgres(url: string): Promise<HeldPostgres> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let awaited: { texts: RegExp[]; isCarried: boolean; onReached: () => void } | undefined
  let isHeld = false
  /** Whether the chunk still goes to the server. */
  const pass = (chunk: Buffer): boolean => {
    if (isHeld) return false
    if (awaited?.texts[0]?.test(chunk.toString('latin1'))) awaited.texts.shift()
    if (awaited === undefined || awaited.texts.length > 0) return true
    const { isCarried, onReached } = awaited
    awaited = undefined
    isHeld = true
    onReached()
    return isCarried
  }
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => {}).on('close', () => sockets.delete(end))
    }
    socket
      .on('close', () => upstream.end())
      .on('data', (chunk: Buffer) => pass(chunk) && upstream.write(chunk))
    upstream.on('close', () => socket.destroy()).on('data', (chunk: Buffer) => isHeld || socket.write(chunk))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  const own = new URL(url)
  own.host = `127.0.0.1:${address.port}`
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: own.href,
    holdAt: async (texts, { ended, isCarried = false }) => {
      const reached = new Promise<true>((resolve) => {
        awaited = { texts: [...texts], isCarried, onReached: () => resolve(true) }
      })
      if ((await Promise.race([reached, ended])) !== true)
        throw new Error(`It ended before ${texts.join(' ')}`)
    },
    release: () => {
      isHeld = false
      awaited = undefined
      drop()
    },
    close: () => {
      server.close()
      drop()
    },
  }
}
