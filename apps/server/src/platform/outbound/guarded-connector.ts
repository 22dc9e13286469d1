import net from 'node:net'
import tls from 'node:tls'
import type { buildConnector } from 'undici'
import type { ResolvedAddress, ResolveName } from './name-resolver.ts'
import { refuseCloudService } from './open-connector.ts'
import { OutboundError } from './outbound-error.ts'
import { isPublicAddress } from './public-address.ts'

interface ConnectorOptions {
  resolve: ResolveName
  isAllowed: boolean
  signal: AbortSignal
  /** Why an address must not be reached; unless given, only public ones may. */
  refusalOf?: (address: string | undefined) => string | undefined
}

const notPublic = (address: string | undefined): string | undefined =>
  address !== undefined && isPublicAddress(address)
    ? undefined
    : 'This address is not allowed: it is not on the public internet'

/** Opens sockets to public addresses only: literal or looked-up before it connects, connected before a byte is sent. */
export function createGuardedConnector({
  resolve,
  isAllowed,
  signal,
  refusalOf = isAllowed ? () => undefined : notPublic,
}: ConnectorOptions) {
  const check = (address: string | undefined) => {
    if (isAllowed) refuseCloudService(address)
    const refusal = refusalOf(address)
    if (refusal !== undefined) throw new OutboundError('blocked', refusal)
  }

  async function connect({ hostname, port, protocol, servername }: buildConnector.Options) {
    const family = net.isIP(hostname)
    const addresses =
      family === 0 ? await resolve(hostname, { signal, isAllowed }) : [{ address: hostname, family }]
    if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
    for (const { address } of addresses) check(address)
    signal.throwIfAborted()

    const socket = await openSocket({
      host: hostname,
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      addresses,
      signal,
    })
    try {
      check(socket.remoteAddress)
    } catch (error) {
      socket.destroy()
      throw error
    }
    if (protocol !== 'https:') return socket
    return await openTls({ socket, host: hostname, servername })
  }

  return (options: buildConnector.Options, callback: buildConnector.Callback) => {
    connect(options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    )
  }
}

interface SocketOptions {
  host: string
  port: number
  addresses: ResolvedAddress[]
  signal: AbortSignal
}

async function openSocket({ host, port, addresses, signal }: SocketOptions): Promise<net.Socket> {
  const [first] = addresses
  const socket = net.connect({
    host,
    port,
    signal,
    noDelay: true,
    // What was checked is what is used: the name is not looked up a second time.
    lookup: (_hostname, { all }, callback) =>
      all ? callback(null, addresses) : callback(null, first?.address ?? '', first?.family),
  })
  return await opened({ socket, event: 'connect' })
}

async function openTls({
  socket,
  host,
  servername,
}: {
  socket: net.Socket
  host: string
  servername: string | undefined
}): Promise<tls.TLSSocket> {
  const secured = tls.connect({ socket, host, servername: servername ?? '', ALPNProtocols: ['http/1.1'] })
  return await opened({ socket: secured, event: 'secureConnect' })
}

function opened<T extends net.Socket>({ socket, event }: { socket: T; event: string }): Promise<T> {
  return new Promise((resolve, reject) => {
    // Stays for good: an error before undici listens must not end the process.
    socket.on('error', reject)
    socket.once(event, () => resolve(socket))
  })
}
