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

/** Headers that frame a message or belong to who carries it: no call sends another’s. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return RESERVED.has(lower) || lower.startsWith('proxy-')
}

/** How many chains deep a call of a chain stands (D40). */
export const DEPTH_HEADER = 'x-catenary-depth'

/** Holds the key of a step’s call (D84). */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'
