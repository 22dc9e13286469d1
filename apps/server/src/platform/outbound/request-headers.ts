import { OutboundError } from './outbound-error.ts'

/** What frames the message or speaks to the hops between: ours to set, as in a browser. */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
])
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
    const lower = name.toLowerCase()
    if (!RESERVED.has(lower) && !lower.startsWith('proxy-')) headers[lower] = value
  }
  return headers
}
