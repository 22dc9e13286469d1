import { Readable } from 'node:stream'
import {
  type ActivityDoor,
  type ApiTable,
  type Caller,
  type Endpoint,
  LIST_BYTES_MAX,
  NEXT_CURSOR,
  noContent,
  type TOKEN_CALLERS,
  TOTAL_COUNT,
  type User,
} from '@catenary/contracts'
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteShorthandOptions,
} from 'fastify'
import type * as z from 'zod'
import type { Actor, AppContext } from '../context.ts'
import type { ListPage } from '../list-page.ts'
import { toActorKey } from './actor-key.ts'
import { errorReplies } from './errors/error-replies.ts'
import { isUnchanged } from './etag.ts'
import { abortOnDisconnect } from './event-stream.ts'
import { projectionOf } from './projection.ts'
import type { Edge, HttpApp, Routes } from './routes.ts'
import { optionalUser, requireAdmin, requireUser, toHeaders } from './session.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type Viewer<Who> = Who extends 'guest' ? User | null : User

interface CommonCall<E extends Endpoint> {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
  user: Viewer<E['who']>
  client: { headers: Headers; address: string }
  signal: AbortSignal
}
type Call<E extends Endpoint> = CommonCall<E> &
  (E extends { sends: unknown } ? { request: FastifyRequest; reply: FastifyReply } : unknown) &
  (E extends { who: (typeof TOKEN_CALLERS)[number] } ? { request: FastifyRequest } : unknown) &
  (E extends { setsCookies: true } ? { reply: FastifyReply } : unknown) &
  (E extends { unchanged: true }
    ? {
        /** Whether the caller has the list of that state; asked before the list is read, so that no change goes unseen. */
        isUnchanged: (state: string) => boolean
      }
    : unknown)

type Result<E extends Endpoint> = E extends { list: infer Item extends z.ZodType }
  ? ListPage<z.output<Item>> | (E extends { unchanged: true } | { sends: unknown } ? undefined : never)
  : E extends
        | { reply: infer Schema extends z.ZodType }
        | { created: infer Schema extends z.ZodType }
        | { accepted: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : E extends { media: true }
      ? Media
      : unknown

export type Handlers<Endpoints> = {
  [Key in keyof Endpoints]: Endpoints[Key] extends Endpoint
    ? (
        ctx: AppContext,
        call: Call<Endpoints[Key]>,
      ) => Promise<Result<Endpoints[Key]>> | Result<Endpoints[Key]>
    : never
}

type AnyHandler = (ctx: AppContext, call: unknown) => unknown

interface Extra extends Pick<RouteShorthandOptions, 'config' | 'errorHandler'> {
  writtenAs?: z.ZodType
}
type Extras<Endpoints> = { [Key in keyof Endpoints]?: Extra }

/**
 * Serves each endpoint of a table. A handler that is missing, that no endpoint has, or that gives something else than the
 * table says does not compile.
 */
export function handlers<Endpoints>(
  { section, endpoints }: ApiTable<Endpoints>,
  handle: Handlers<NoInfer<Endpoints>>,
  extras: Extras<NoInfer<Endpoints>> = {},
): Routes {
  return (app, edge) => {
    for (const [key, endpoint] of Object.entries<Endpoint>(endpoints as Record<string, Endpoint>)) {
      const name = key as keyof Endpoints
      serveOne(app, { key, section, endpoint, edge, handle: handle[name] as AnyHandler, ...extras[name] })
    }
  }
}

interface Served extends Extra {
  key: string
  section: string
  endpoint: Endpoint
  edge: Edge
  handle: AnyHandler
}

function serveOne(app: HttpApp, { key, section, endpoint, edge, handle, writtenAs, ...extra }: Served): void {
  const { bodyBytes, list, noStore } = endpoint
  const [method = '', path = ''] = key.split(' ')
  const page = list && { ...defineListReply(writtenAs ?? list), schema: list.array() }
  const send = senderOf(endpoint, page)
  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: schemaOf({ section, endpoint, page }),
    ...extra,
    config: { ...configOf(endpoint, edge), ...extra.config },
    ...limitsOf(app, { key, endpoint, edge }),
    ...(bodyBytes !== undefined && { bodyLimit: bodyBytes }),
    handler: async (request, reply) => {
      const call = await callOf({ request, reply, endpoint, page })
      if (noStore) reply.header('cache-control', 'no-store')
      const ctx = { ...edge.ctx, actor: actorOf(endpoint, call) }
      return send(reply, await handle(ctx, call))
    },
  })
}

const USER: Record<Caller, (request: FastifyRequest) => Promise<User | null>> = {
  guest: optionalUser,
  user: requireUser,
  admin: requireAdmin,
  'agents token': tokenUser,
  'chain token': tokenUser,
  'folder token': tokenUser,
  'hook token': tokenUser,
  'read token': tokenUser,
  'skills token': tokenUser,
}

export const DOORS: Record<Caller, ActivityDoor> = {
  guest: 'page',
  user: 'page',
  admin: 'page',
  'agents token': 'agent',
  'chain token': 'token',
  'folder token': 'token',
  'hook token': 'token',
  'read token': 'token',
  'skills token': 'token',
}

function actorOf(
  { who }: Endpoint,
  { user, request }: { user: User | null; request: FastifyRequest },
): Actor {
  return { personId: user?.id ?? null, door: DOORS[who], address: request.ip }
}

async function tokenUser({ tokenUser }: FastifyRequest): Promise<User | null> {
  return tokenUser ?? null
}

interface Received {
  request: FastifyRequest
  reply: FastifyReply
  endpoint: Endpoint
  page: Page
}

async function callOf({ request, reply, endpoint: { who, sends, setsCookies }, page }: Received) {
  const { params, query, body } = request
  // Who sends a reply by itself asks for the person by itself; a sign-in does not.
  const isAsked = who !== 'guest' || !(sends || setsCookies)
  return {
    params,
    query,
    body,
    user: isAsked ? await USER[who](request) : null,
    get client() {
      return { headers: toHeaders(request), address: request.ip }
    },
    get signal() {
      return abortOnDisconnect(reply)
    },
    request,
    reply,
    isUnchanged: (state: string) => page && isUnchanged({ request, reply, state, schema: page.schema }),
  }
}

type Page = ReturnType<typeof defineListReply> | undefined

function senderOf(endpoint: Endpoint, page: Page): (reply: FastifyReply, result: unknown) => unknown {
  if (page) {
    return (reply, result) => {
      // The handler sent the list as a file; whoever asked may have gone meanwhile.
      if (endpoint.sends && result === undefined) return reply
      if (result === undefined) return reply.code(304).send()
      return page.send(reply, result as ListPage<unknown>)
    }
  }
  if (endpoint.media) return (reply, result) => sendMedia(reply, result as Media)
  if (endpoint.sends) return (_, result) => result
  const status = statusOf(endpoint)
  if (status === 204) return (reply) => reply.code(204).send()
  return (reply, result) => reply.code(status).send(result)
}

function statusOf({ reply, created, accepted }: Endpoint): number {
  if (created) return 201
  if (accepted) return 202
  return reply ? 200 : 204
}

function schemaOf({
  section,
  endpoint,
  page,
}: Pick<Served, 'section' | 'endpoint'> & { page: Page }): FastifySchema {
  const { who, summary, description, params, query, body, consumes, hidden, produces } = endpoint
  const response = { ...repliesOf(endpoint, page), ...failuresOf(endpoint) }
  const schema = {
    tags: [section],
    security: securityOf(who),
    summary,
    description,
    params,
    querystring: query,
    body,
    consumes,
    produces,
    hide: hidden,
    response: endpoint.media ? undefined : response,
  }
  return Object.fromEntries(Object.entries(schema).filter(([, part]) => part !== undefined))
}

function securityOf(who: Caller): Record<string, string[]>[] {
  const scheme = SCHEMES[who]
  if (scheme === null) return []
  return [{ [scheme]: [] }, ...(who === 'guest' ? [{}] : [])]
}

/** Null: who calls is said by the path. */
const SCHEMES: Record<Caller, 'session' | 'token' | null> = {
  guest: 'session',
  user: 'session',
  admin: 'session',
  'agents token': 'token',
  'chain token': 'token',
  'folder token': 'token',
  'hook token': null,
  'read token': 'token',
  'skills token': 'token',
}

function repliesOf(endpoint: Endpoint, page: Page): Record<number, z.ZodType> {
  if (page) return endpoint.unchanged ? { 200: page.schema, 304: noContent } : { 200: page.schema }
  if (endpoint.sends) return endpoint.sends
  return { [statusOf(endpoint)]: endpoint.reply ?? endpoint.created ?? endpoint.accepted ?? noContent }
}

function failuresOf({ errors = [], failure }: Endpoint): Record<string, z.ZodType> {
  if (failure === undefined) return errorReplies(...errors)
  return Object.fromEntries([400, ...errors, 'default'].map((status) => [status, failure]))
}

function configOf({ notReplayed, ...endpoint }: Endpoint, { ctx: { settings } }: Edge): FastifyContextConfig {
  const { activity, writes, reads, crossSiteCheck, hasSecretPath, servedWhileDiskFull } = endpoint
  const isReplayed = notReplayed === undefined || (notReplayed !== true && settings.tokenReveal)
  return {
    ...(!isReplayed && { idempotency: 'off' }),
    ...(activity && { activity }),
    ...(writes && { writes }),
    ...(reads && { readLimit: reads }),
    ...(crossSiteCheck !== undefined && { crossSiteCheck }),
    ...(hasSecretPath && { hasSecretPath }),
    ...(servedWhileDiskFull && { whileDiskFull: 'served' }),
  }
}

function limitsOf(
  app: HttpApp,
  {
    key,
    endpoint: { limits = [], perMinute },
    edge: { limitRuns, limitStreams },
  }: Pick<Served, 'key' | 'endpoint' | 'edge'>,
): RouteShorthandOptions {
  const isCounted = limits.includes('runs')
  const streamsIfAsked = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers.accept?.includes('text/event-stream')) await limitStreams(request, reply)
  }
  const asked = limits.includes('streams if asked') ? streamsIfAsked : undefined
  const preHandler = limits.includes('streams') ? limitStreams : asked
  // Without a name of its own it would be counted with all others.
  const named = { timeWindow: '1 minute', keyGenerator: toActorKey, groupId: key }
  const counted = perMinute && { ...named, max: perMinute }
  return {
    ...(isCounted && { onRequest: limitRuns }),
    ...(counted && { onRequest: app.rateLimit(counted) }),
    ...(preHandler && { preHandler }),
  } as RouteShorthandOptions
}

interface Media {
  file: { mediaType: string; fileName: string }
  bytes: Buffer
}

/** Sends a stranger's image or PDF so that no browser takes it for a page. */
function sendMedia(reply: FastifyReply, { file: { mediaType, fileName }, bytes }: Media): FastifyReply {
  const shown = mediaType.startsWith('image/') ? 'inline' : 'attachment'
  return reply
    .type(mediaType)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-disposition', `${shown}; filename*=UTF-8''${encodeURIComponent(fileName)}`)
    .header('cache-control', 'private, max-age=3600')
    .header('cross-origin-resource-policy', 'same-origin')
    .send(bytes)
}

/** A longer page goes out in pieces of about that many characters, each of which is let go once it is written. */
const PIECE_CHARACTERS = 65_536

function defineListReply<Item extends z.ZodType>(item: Item) {
  const schema = item.array()
  const project = projectionOf(item)
  return {
    schema,

    send: (
      reply: FastifyReply,
      { items, limit, total, cursorAfter }: ListPage<z.output<Item>>,
    ): FastifyReply => {
      const pieces: string[] = []
      let piece = '['
      let count = 0
      let bytes = 0
      for (const item of items.slice(0, limit)) {
        const row = JSON.stringify(project(item))
        // With the bracket or comma before it, and the bracket after the last.
        bytes += Buffer.byteLength(row) + 1
        if (count > 0 && bytes >= LIST_BYTES_MAX) break
        piece += count === 0 ? row : `,${row}`
        count += 1
        if (piece.length < PIECE_CHARACTERS) continue
        pieces.push(piece)
        piece = ''
      }
      pieces.push(`${piece}]`)
      if (total) reply.header(TOTAL_COUNT, `${total.count}${total.isMore ? '+' : ''}`)
      if (count < items.length) reply.header(NEXT_CURSOR, cursorAfter(count - 1))
      reply.type('application/json; charset=utf-8')
      return reply.send(pieces.length === 1 ? pieces[0] : Readable.from(letGo(pieces)))
    },
  }
}

function* letGo(pieces: string[]) {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) yield piece
}
