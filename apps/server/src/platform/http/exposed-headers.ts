import { NEXT_CURSOR, TOTAL_COUNT } from '@catenary/contracts'

/** What a page of an allowed origin may read of a reply: each header that a reply of ours sets for its caller. */
export const EXPOSED_HEADERS: readonly string[] = [
  'allow',
  'content-disposition',
  'etag',
  'idempotent-replayed',
  'location',
  'request-id',
  'retry-after',
  'www-authenticate',
  'x-catenary-estimate',
  'x-catenary-execution',
  'x-catenary-ignored',
  'x-prompt-label',
  'x-prompt-version',
  'x-request-id',
  'x-selected-chain-id',
  'x-selection-confidence',
  'x-should-retry',
  TOTAL_COUNT,
  NEXT_CURSOR,
]
