import type { Readable } from 'node:stream'
import { isReservedHeader } from '@catenary/contracts'
import { Client } from 'undici'
import type { createAllowedHosts } from './allowed-hosts.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import type { ResolveName } from './name-resolver.ts'
import { OutboundError, type OutboundErrorCode } from './outbound-error.ts'

export function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url === null) throw new OutboundError('invalid_url', 'This is not a valid address')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('invalid_url', 'Only http and https addresses can be fetched')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('invalid_url', 'An address must not carry a user name or password')
  }
  return url
}

export interface Guard {
  resolve: ResolveName
  isAllowed: ReturnType<typeof createAllowedHosts>
}

export interface Hop {
  url: URL
  headers: Record<string, string>
  signal: AbortSignal
  /** GET without a body, and POST with one, unless it is said. */
  method?: string
  body?: string
  /** Told once a connection is there: from then on the request may have been read. */
  onConnected?: () => void
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

/** One request to one address, with the answer read before its connection closes. */
export async function askHop<Result>(
  { url, headers, signal, method, body: sent, onConnected }: Hop,
  { resolve, isAllowed }: Guard,
  read: (answer: Answer) => Promise<Result>,
): Promise<Result> {
  const open = createGuardedConnector({ resolve, isAllowed: isAllowed(url), signal })
  const connect: typeof open = (options, callback) =>
    open(options, (...opened) => {
      if (opened[0] === null) onConnected?.()
      callback(...opened)
    })
  // A client for each hop, without pipelining: no connection outlives the check that it passed.
  const client = new Client(url.origin, { connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 })
  const stop = () => void client.destroy(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    const path = url.pathname + url.search
    const {
      statusCode: status,
      headers: given,
      body,
    } = await client.request({
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      path,
      headers,
      body: sent ?? null,
    })
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

/** What frames the message or speaks to the hops between: ours to set, as in a browser. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const OWN = { accept: '*/*', 'user-agent': 'Catenary', 'accept-encoding': 'gzip, br' }

/** The headers to send: ours and the caller's but for the reserved ones. Throws `blocked` for malformed ones. */
export function toRequestHeaders(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { ...OWN }
  for (const [name, value] of Object.entries(given)) {
    if (!NAME.test(name) || !VALUE.test(value)) {
      throw new OutboundError('blocked', 'A header has characters that HTTP does not allow')
    }
    if (!isReservedHeader(name)) headers[name.toLowerCase()] = value
  }
  return headers
}

const KNOWN: Record<string, [OutboundErrorCode, string]> = {
  ENOTFOUND: ['unreachable', 'The name of the address could not be found'],
  EAI_AGAIN: ['unreachable', 'The name of the address could not be looked up. Try again.'],
  ECONNREFUSED: ['unreachable', 'The address refused the connection'],
  ECONNRESET: ['unreachable', 'The address cut the connection'],
  EPIPE: ['unreachable', 'The address cut the connection'],
  UND_ERR_SOCKET: ['unreachable', 'The address cut the connection'],
  ETIMEDOUT: ['timeout', 'The address did not accept a connection in time'],
  UND_ERR_HEADERS_OVERFLOW: ['too_large', 'The headers of the answer are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['bad_content', 'The answer’s length doesn’t match its header'],
}
const MALFORMED: [OutboundErrorCode, string] = ['bad_content', 'The address did not answer with valid HTTP']
const UNTRUSTED: [OutboundErrorCode, string] = [
  'unreachable',
  'The certificate of the address is not trusted',
]
const OTHER: [OutboundErrorCode, string] = ['unreachable', 'The address could not be reached']

export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isMalformed = error instanceof Error && error.name === 'HTTPParserError'
  const [ours, message] = KNOWN[code] ?? (isMalformed ? MALFORMED : isUntrusted(code) ? UNTRUSTED : OTHER)
  return new OutboundError(ours, message, { cause: error })
}

function isUntrusted(code: string): boolean {
  return /CERT|ISSUER|SELF_SIGNED/.test(code)
}
