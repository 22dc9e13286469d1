import { OutboundError, type OutboundErrorCode } from './outbound-error.ts'

const KNOWN: Record<string, [OutboundErrorCode, string]> = {
  ENOTFOUND: ['unreachable', 'The name of the address could not be found'],
  EAI_AGAIN: ['unreachable', 'The name of the address could not be looked up just now'],
  ECONNREFUSED: ['unreachable', 'The address refused the connection'],
  ECONNRESET: ['unreachable', 'The address cut the connection'],
  EPIPE: ['unreachable', 'The address cut the connection'],
  UND_ERR_SOCKET: ['unreachable', 'The address cut the connection'],
  ETIMEDOUT: ['timeout', 'The address did not accept a connection in time'],
  UND_ERR_HEADERS_OVERFLOW: ['too_large', 'The headers of the answer are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['bad_content', 'The answer is shorter or longer than it says'],
}
const MALFORMED: [OutboundErrorCode, string] = ['bad_content', 'The address did not answer in valid HTTP']
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
