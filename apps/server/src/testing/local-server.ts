import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { TEST_CERTIFICATE } from './test-certificate.ts'

export interface LocalServer {
  port: number
  /** Connections so far. */
  hits(): number
  /** Connections that are still open. */
  open(): number
  close(): Promise<void>
}

/** A web server on a free port of 127.0.0.1. */
export function serveHttp(listener: RequestListener): Promise<LocalServer> {
  return listen(createHttpServer(listener))
}

/** The same over TLS, with the certificate of the tests. */
export function serveHttps(listener: RequestListener): Promise<LocalServer> {
  return listen(createHttpsServer(TEST_CERTIFICATE, listener))
}

/** Whatever the test writes on a bare socket. */
export function serveSocket(listener: (socket: Socket) => void): Promise<LocalServer> {
  return listen(createServer(listener))
}

async function listen(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>()
  let hits = 0
  server.on('connection', (socket: Socket) => {
    hits += 1
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    hits: () => hits,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
