import type * as z from 'zod'
import type { ActivityKind, ActivityObject } from './activity-kinds.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Such as `PATCH /api/variables/{id}`: the one name of an endpoint, on both sides. */
export type EndpointKey = `${Method} /${string}`

export const TOKEN_CALLERS = [
  'agents token',
  'chain token',
  'folder token',
  'hook token',
  'read token',
  'skills token',
] as const
export type Caller = 'guest' | 'user' | 'admin' | (typeof TOKEN_CALLERS)[number]

/**
 * What a call that changes something leaves in the activity, or why it leaves nothing. Of several kinds a call writes one
 * for each thing that it did.
 */
export type EndpointActivity =
  | {
      kind: ActivityKind | readonly ActivityKind[]
      object: ActivityObject | readonly ActivityObject[]
    }
  | { none: string }

/** What an endpoint takes, replies and promises. Without a kind of reply it answers an empty 204. */
export interface Endpoint {
  who: Caller
  summary: string
  description?: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Media types of a body that the handler reads by itself, of any content. */
  consumes?: readonly string[]

  reply?: z.ZodType
  created?: z.ZodType
  accepted?: z.ZodType
  list?: z.ZodType
  /** A caller who has the current list gets an empty 304. */
  unchanged?: true
  media?: true
  /** By status: pages, files, streams and replies of several statuses, which the handler sends itself. */
  sends?: Readonly<Record<number, z.ZodType>>
  /** Its handler gets the reply, to set cookies, and asks for the person by itself. */
  setsCookies?: true
  /** Media types of `sends` that are not JSON. */
  produces?: readonly string[]
  errors?: readonly (401 | 403 | 404 | 409 | 410 | 413 | 429 | 502)[]
  failure?: z.ZodType
  hidden?: true

  /** Runs a minute and open streams that a person may have; `streams if asked`: where the call accepts a stream. */
  limits?: readonly ('runs' | 'streams' | 'streams if asked')[]
  perMinute?: number
  /** It changes nothing or has a limit of its own, brings a file that counts as many changes, or names what is each a change. */
  writes?: 'unlimited' | 'file' | 'many'
  /** How it counts among a person's reads; a GET counts as a whole unless this says otherwise. */
  reads?: 'none' | 'begin' | 'whole'
  bodyBytes?: number
  bodyValues?: number
  /** Each call runs, even with a repeated `Idempotency-Key`: always, or where secrets are not kept. */
  notReplayed?: true | 'unless secrets are kept'
  /** true: a GET that acts or reveals, which other sites must not trigger; false: cookies are ignored here (D8). */
  crossSiteCheck?: boolean
  noStore?: true
  /** The path holds a secret: the log names the route instead. */
  hasSecretPath?: true
  /** Served although the disk is full: nobody could free space without it. */
  servedWhileDiskFull?: true
  /** A GET has it where it acts or reveals; all others have it. */
  activity?: EndpointActivity
}

type ParamNames<Key> = Key extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never

type MatchingParams<Key> = [ParamNames<Key>] extends [never]
  ? { params?: never }
  : { params: z.ZodType<Record<ParamNames<Key>, unknown>> }

type MatchingActivity<Key> = Key extends `GET ${string}` ? unknown : { activity: EndpointActivity }

export interface ApiTable<Endpoints> {
  section: string
  endpoints: Endpoints
}

// The endpoints of a noun, each once. A key that names no endpoint, params that are not those of its path, or a change
// that does not say what it leaves in the activity, do not compile. The mark below lets bundlers leave the tables out of
// the web app; inside a doc comment it would not count.
/* @__NO_SIDE_EFFECTS__ */
export function defineApi<
  const Endpoints extends {
    [Key in keyof Endpoints]: Key extends EndpointKey
      ? Endpoint & MatchingParams<Key> & MatchingActivity<Key>
      : never
  },
>(section: string, endpoints: Endpoints): ApiTable<Endpoints> {
  return { section, endpoints }
}

export type EndpointsOf<Table> = Table extends ApiTable<infer Endpoints> ? Endpoints : never
