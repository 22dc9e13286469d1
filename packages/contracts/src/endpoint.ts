import type * as z from 'zod'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Such as `PATCH /api/variables/{id}`: the one name of an endpoint, on both sides. */
export type EndpointKey = `${Method} /${string}`

/** The programs' calls, by what their token opens. */
export const TOKEN_CALLERS = [
  'agents token',
  'chain token',
  'folder token',
  'read token',
  'skills token',
] as const
/** Who may call: anyone, signed-in people, administrators, or a program with a token. */
export type Caller = 'guest' | 'user' | 'admin' | (typeof TOKEN_CALLERS)[number]

/** What an endpoint takes, replies and promises. Without a kind of reply it answers an empty 204. */
export interface Endpoint {
  who: Caller
  summary: string
  description?: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType

  /** The body of a 200. */
  reply?: z.ZodType
  /** The body of a 201. */
  created?: z.ZodType
  /** The body of a 202: the work goes on by itself. */
  accepted?: z.ZodType
  /** One item of a list, which is sent page by page. */
  list?: z.ZodType
  /** A caller who has the current list gets an empty 304. */
  unchanged?: true
  /** The bytes of an image or a PDF. */
  media?: true
  /** Pages, files, streams and replies of several statuses, by status; the handler sends them itself. */
  sends?: Readonly<Record<number, z.ZodType>>
  /** Its handler gets the reply, to set cookies, and asks for the person by itself. */
  setsCookies?: true
  /** Media types of `sends` that are not JSON. */
  produces?: readonly string[]
  /** Statuses to document beside those that every endpoint may have. */
  errors?: readonly (401 | 403 | 404 | 409 | 410 | 413 | 429 | 502)[]
  /** The body of each error reply, where it is not everyone's. */
  failure?: z.ZodType
  /** The API page does not show it. */
  hidden?: true

  /** Runs a minute and open streams that a person may have; `streams if asked`: where the call accepts a stream. */
  limits?: readonly ('runs' | 'streams' | 'streams if asked')[]
  /** Calls a minute that a person may make. */
  perMinute?: number
  /** It changes nothing or has a limit of its own, brings a file that counts as many changes, or names what is each a change. */
  writes?: 'unlimited' | 'file' | 'many'
  /** How it counts among a person's reads: a GET does as a whole, where this does not say otherwise. */
  reads?: 'none' | 'begin' | 'whole'
  /** Bytes of the largest body. */
  bodyBytes?: number
  /** Values that a body may hold. */
  bodyValues?: number
  /** Each call runs, even with a repeated `Idempotency-Key`: always, or where secrets are not kept. */
  notReplayed?: true | 'unless secrets are kept'
  /** true: a GET that acts or reveals, which other sites may not cause; false: cookies count for nothing there (D8). */
  crossSiteCheck?: boolean
  /** No cache may keep the reply. */
  noStore?: true
  /** The path holds a secret: the log names the route instead. */
  hasSecretPath?: true
  /** Served although the disk is full: nobody could free space without it. */
  servedWhileDiskFull?: true
}

type ParamNames<Key> = Key extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never

/** The path's names and the schema of `params` belong together. */
type MatchingParams<Key> = [ParamNames<Key>] extends [never]
  ? { params?: never }
  : { params: z.ZodType<Record<ParamNames<Key>, unknown>> }

export interface ApiTable<Endpoints> {
  /** Under which heading the API page shows them. */
  section: string
  endpoints: Endpoints
}

// The endpoints of a noun, each once. A key that names no endpoint, or params that are not those of its path, do not
// compile. The mark below lets bundlers leave the tables out of the web app; inside a doc comment it would not count.
/* @__NO_SIDE_EFFECTS__ */
export function defineApi<
  const Endpoints extends {
    [Key in keyof Endpoints]: Key extends EndpointKey ? Endpoint & MatchingParams<Key> : never
  },
>(section: string, endpoints: Endpoints): ApiTable<Endpoints> {
  return { section, endpoints }
}

/** The endpoints of a table. */
export type EndpointsOf<Table> = Table extends ApiTable<infer Endpoints> ? Endpoints : never
