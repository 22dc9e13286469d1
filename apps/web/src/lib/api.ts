import {
  type Api,
  addressOf,
  type ListKey,
  type ReadKey,
  type SentParams,
  type SentQuery,
} from '@catenary/contracts'
import type * as z from 'zod'
import { type ListPage, read, readAll, readPage, type StreamOptions, stream, write } from './api-client.ts'

// Types only: nothing of the tables of endpoints is in the bundle. Schemas of replies are given where they are used.
type Key = keyof Api

type Body<E> = E extends { body: infer S extends z.ZodType }
  ? undefined extends z.input<S>
    ? { body?: z.input<S> }
    : { body: z.input<S> }
  : unknown
export type QueryOf<K extends Key> = SentQuery<Api[K]> extends { query?: infer Q } ? NonNullable<Q> : never
type Sent<K extends Key> = SentParams<Api[K]> & SentQuery<Api[K]> & Body<Api[K]>

const REPLIES = ['reply', 'created', 'accepted'] as const
type Expected<E> = E extends { reply: infer S }
  ? { reply: S }
  : E extends { created: infer S }
    ? { created: S }
    : E extends { accepted: infer S }
      ? { accepted: S }
      : E extends { list: infer S }
        ? { list: S }
        : unknown
export type Item<K extends Key> = Api[K] extends { list: infer S extends z.ZodType } ? z.output<S> : never
type Reply<K extends Key> =
  Expected<Api[K]> extends { [Name in (typeof REPLIES)[number]]?: infer S extends z.ZodType }
    ? z.output<S>
    : Api[K] extends { list: z.ZodType }
      ? Item<K>[]
      : undefined

interface Options {
  signal?: AbortSignal | undefined
  idempotencyKey?: string
}

interface Call extends Options {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  reply?: z.ZodType
  created?: z.ZodType
  accepted?: z.ZodType
  list?: z.ZodType
}

export const apiPath = addressOf

const pathOf = (key: Key, call: Call) => addressOf(key, call as Parameters<typeof addressOf>[1])

/** Calls an endpoint; of a list it reads all pages. A wrong path, parameter, body or reply does not compile. */
export async function api<K extends Key>(
  key: K,
  call: Sent<K> & Expected<Api[K]> & Options,
): Promise<Reply<K>> {
  const { body, list, signal, idempotencyKey, ...given } = call as Call
  const path = pathOf(key, given)
  if (list) return (await readAll({ path, schema: list, signal })) as Reply<K>
  const schema = given.reply ?? given.created ?? given.accepted
  const method = key.slice(0, key.indexOf(' '))
  if (method === 'GET' && schema) return (await read({ path, schema, signal })) as Reply<K>
  const sent = { ...(schema && { schema }), ...(idempotencyKey !== undefined && { idempotencyKey }) }
  return (await write({ method: method as 'POST', path, body, signal, ...sent })) as Reply<K>
}

export function apiSend<K extends Exclude<Key, ReadKey>>(key: K, call: Sent<K> & Options): Promise<unknown> {
  return api(key, call as Parameters<typeof api<K>>[1])
}

export function apiPage<K extends ListKey>(
  key: K,
  {
    cursor = null,
    ...call
  }: Sent<K> & Expected<Api[K]> & { cursor?: string | null; signal?: AbortSignal | undefined },
): Promise<ListPage<Item<K>>> {
  const { list, signal, ...sent } = call as Call as Call & { list: z.ZodType<Item<K>> }
  return readPage({ path: pathOf(key, sent), schema: list, cursor, signal })
}

export function apiStream<K extends Key, Events extends Record<string, z.ZodType>>(
  key: K,
  call: Sent<K> & Options & { events: Events },
) {
  const { body, signal, idempotencyKey, ...sent } = call as Call
  const options: StreamOptions<Events> = { path: pathOf(key, sent), body, signal, events: call.events }
  return stream({ ...options, ...(idempotencyKey !== undefined && { idempotencyKey }) })
}
