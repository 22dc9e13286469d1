import type * as z from 'zod'
import type { Api } from './api.ts'

type Values<Schema extends z.ZodType> = {
  [Name in keyof z.input<Schema>]: Value<
    z.input<Schema>[Name],
    z.output<Schema>[Name & keyof z.output<Schema>]
  >
}
type Value<In, Out> = NonNullable<Out> extends readonly unknown[] ? TextOr<In, Out> : Out
type TextOr<In, Out> = [NonNullable<In>] extends [string] ? In : Out
export type SentParams<E> = E extends { params: infer S extends z.ZodType } ? { params: Values<S> } : unknown
export type SentQuery<E> = E extends { query: infer S extends z.ZodType }
  ? Record<never, never> extends Values<S>
    ? { query?: Partial<Values<S>> }
    : { query: Values<S> }
  : unknown

interface Sent {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
}

/** `addressOf('GET /api/variables/{id}/file', { params: { id } })`. */
export function addressOf<Key extends keyof Api>(
  key: Key,
  sent: SentParams<Api[Key]> & SentQuery<Api[Key]>,
): string {
  const { params = {}, query = {} } = sent as Sent
  const path = key
    .slice(key.indexOf(' ') + 1)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one))
  return search.size === 0 ? path : `${path}?${search}`
}
