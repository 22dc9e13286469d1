import { connect, createServer, type Socket } from 'node:net'

/** A way to a PostgreSQL that can be cut. */
export interface DatabaseProxy {
  /** For `DATABASE_URL`. */
  url: string
  /** Ends every connection; new ones are refused until `mend`. */
  cut(): void
  /** Leaves every connection open and carries nothing over it any more; new ones are good. */
  silence(): void
  /** Ends the connection of the next statement of that name once it is done, before its answer is heard. */
  loseAnswerTo(statement: string): void
  mend(): void
  close(): void
}

/** Of PostgreSQL: what was asked is done, and no transaction is open. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** Puts a port of its own before the server at `url`. */
export async function startDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isCut = false
  let lost: string | undefined
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const keep = (socket: Socket) => {
    sockets.add(socket)
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    if (isCut) {
      socket.resetAndDestroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    keep(socket).on('close', () => upstream.destroy())
    keep(upstream).on('close', () => socket.destroy())
    socket.pipe(upstream).pipe(socket)
    socket.on('data', (sent: Buffer) => {
      if (lost === undefined || !sent.includes(lost)) return
      lost = undefined
      upstream
        .unpipe(socket)
        .on('data', (answer: Buffer) => answer.includes(READY) && socket.destroy())
        .resume()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  const own = new URL(url)
  own.host = `127.0.0.1:${address.port}`
  return {
    url: own.href,
    cut: () => {
      isCut = true
      drop()
    },
    loseAnswerTo: (statement) => {
      lost = statement
    },
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
    mend: () => {
      isCut = false
    },
    close: () => {
      server.close()
      drop()
    },
  }
}
