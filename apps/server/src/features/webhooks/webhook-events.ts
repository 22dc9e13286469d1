import type { RecordKind, Role, WebhookEventType } from '@catenary/contracts'

/** A person, those who have a record by name, or all of a role. */
export type Audience = { userId: number } | { kind: RecordKind; id: number } | { role: Role }

export interface WebhookEvent {
  type: WebhookEventType
  /** What happened, and no second time: told again under its key, it is not sent again. */
  key: string
  /** What it happened to: its deliveries keep their order. */
  object: string
  audience: Audience
  /** Sent as it is: ids, names and figures, never a text that a model or a person wrote. */
  data: Record<string, unknown>
}

/** All its deliveries are in one order. */
export const ACTIVITY_LANE = 'activity'

export const recordObject = ({ kind, id }: { kind: RecordKind; id: number }): string => `${kind}:${id}`

export function recordOf(object: string): { kind: RecordKind; id: number } | undefined {
  const [kind, id] = object.split(':')
  return kind === 'prompt' || kind === 'chain' ? { kind, id: Number(id) } : undefined
}

export const runObject = (id: number): string => `run:${id}`

export const runEndKey = (end: string): string => `run:${end}`

export function runEndOf(key: string): { id: number; attempt: number } | undefined {
  const [kind, id, attempt] = key.split(':')
  return kind === 'run' ? { id: Number(id), attempt: Number(attempt) } : undefined
}
