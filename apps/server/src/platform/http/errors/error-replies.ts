import { errorReply } from '@catenary/contracts'

const MEANINGS = {
  400: 'Not valid: `details` lists each field and what is wrong.',
  401: 'Not signed in.',
  403: 'You are not allowed to do this, or the request came from another site.',
  404: 'It does not exist, or you can’t see it.',
  409: 'Conflicts with the current state, which is in `details`.',
  410: 'No longer available.',
  413: 'Too large.',
  415: 'The body is not `application/json`.',
  422: 'The `Idempotency-Key` was used for another request.',
  429: 'Too many requests: `Retry-After` says when to try again.',
  502: 'A service that Catenary depends on failed.',
} as const

type ErrorStatus = keyof typeof MEANINGS

const REPLIES = new Map(
  Object.entries(MEANINGS).map(([status, meaning]) => [Number(status), errorReply.describe(meaning)]),
)

export function errorReplies<Status extends ErrorStatus>(
  ...statuses: Status[]
): Record<Status, typeof errorReply> {
  const entries = statuses.map((status) => [status, REPLIES.get(status)])
  return Object.fromEntries(entries)
}
