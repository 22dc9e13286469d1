import { WEBHOOK_EVENTS, type Webhook, type WebhookDelivery, type WebhookTry } from '@catenary/contracts'

const REASONS: Record<number, string> = {
  200: 'OK',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved',
  302: 'Found',
  307: 'Redirect',
  308: 'Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Timeout',
  410: 'Gone',
  413: 'Too Large',
  422: 'Unprocessable',
  429: 'Too Many Requests',
  500: 'Server Error',
  502: 'Bad Gateway',
  503: 'Unavailable',
  504: 'Gateway Timeout',
}

export const eventsText = (events: Webhook['events']): string =>
  events.map((event) => WEBHOOK_EVENTS[event]).join(', ')

export const isWell = ({ status }: Pick<WebhookTry, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

export const shortOutcome = ({ status }: WebhookTry): string =>
  status === null ? 'no answer' : String(status)

export function outcomeText({ status, error }: WebhookTry): string {
  if (status === null) return error ?? 'no answer'
  return [status, REASONS[status]].filter((part) => part !== undefined).join(' ')
}

export const durationText = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)

export function subjectOf({ type, object }: Pick<WebhookDelivery, 'type' | 'object'>): string {
  const id = /^(?:run|ask|prompt|chain|schedule|import):(\d+)$/.exec(object)?.[1]
  return id === undefined ? type : `${type} #${id}`
}

export const STATES: Record<WebhookDelivery['state'], string> = {
  waiting: 'waiting',
  delivered: 'delivered',
  failed: 'given up',
  dropped: 'dropped',
}

export const nameOf = ({ url }: Pick<Webhook, 'url'>): string =>
  url.replace(/^https?:\/\//, '').replace(/\?.*$/, '')
