import { ApiError, isGone, isNetworkFailure } from './errors.ts'

export interface GuideAddress {
  href: string
  label: string
}

/** Apart from the others: every page can say them, before anything else of it is there. */
export const FAULT_TOPICS = {
  noAnswer: {
    href: '/docs/when-something-goes-wrong#the-server-does-not-answer',
    label: 'a server that does not answer',
  },
  gone: {
    href: '/docs/when-something-goes-wrong#it-was-deleted-or-it-is-not-shared-with-you',
    label: 'what is gone',
  },
  limit: { href: '/docs/when-something-goes-wrong#a-limit-is-reached', label: 'limits' },
} as const satisfies Record<string, GuideAddress>

export function topicOfError(error: unknown): GuideAddress {
  if (isNetworkFailure(error)) return FAULT_TOPICS.noAnswer
  if (isGone(error)) return FAULT_TOPICS.gone
  return error instanceof ApiError && error.status === 429 ? FAULT_TOPICS.limit : FAULT_TOPICS.noAnswer
}

export function topicOfThrown(error: unknown): GuideAddress | null {
  return error instanceof ApiError || isNetworkFailure(error) ? topicOfError(error) : null
}
