import type { User } from '@catenary/contracts'
import { AppError, type ErrorCode } from '../../../errors.ts'
import { type Context, onePerApp } from '../../../platform/context.ts'
import { clientOf, toClientName } from '../../../platform/http/client-name.ts'
import type { HttpReply, HttpRequest } from '../../../platform/http/routes.ts'
import { addUse, admitToken, bearerOf, countCall, grantOf } from '../../tokens/tokens.ts'
import { isChainTool } from './mcp-chains.ts'
import { openCalls } from './open-calls.ts'

const STATUSES: Partial<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  too_large: 413,
  unsupported_type: 415,
  too_many: 429,
  unavailable: 503,
}
/** JSON-RPC's own codes: refused before a method was looked at, and failed. */
const REFUSED = -32_600
const FAILED = -32_603

/** A chain's run and a subscription last. */
const READ_LIMIT = ({ body }: HttpRequest) => (isReading(body) ? ('whole' as const) : ('begin' as const))
export const LASTING = { config: { readLimit: READ_LIMIT } }

interface ReceivedCall {
  request: HttpRequest
  reply: HttpReply
  signal: AbortSignal
}

export async function answerAgent(
  ctx: Context,
  { request, reply, signal }: ReceivedCall,
): Promise<HttpReply> {
  if (request.body === undefined || Array.isArray(request.body)) {
    throw new AppError('invalid', 'Send one message at a time: batches are not supported.')
  }
  const body = withoutNullParams(request.body)
  const grant = grantOf(request)
  const client = clientNameOf(ctx, { request, tokenId: grant.tokenId })
  // What costs money is counted where it begins.
  if (!isChainCall(body)) {
    await countCall(ctx, grant)
    addUse(ctx, { tokenId: grant.tokenId, client, calls: isTaking(body) ? 1 : 0 })
  }
  const open = { token: bearerOf(request), grant, end: () => reply.raw.destroy() }
  const { add, busOf } = openCalls(ctx)
  const forget = add(open)
  reply.raw.once('close', forget)
  const call = { grant, client, signal }
  // Loaded with the first call: few installations have agents, and its packages are large.
  const { answerMcpRequest } = await import('./mcp-server.ts')
  const answer = answerMcpRequest(ctx, { call, bus: busOf(open) })
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.raw.setHeader('cache-control', 'no-store').setHeader('x-accel-buffering', 'no')
  await answer(request.raw, reply.raw, body)
  return reply
}

export const refuseSession = (reply: HttpReply): HttpReply =>
  reply.code(405).header('allow', 'POST').send(refusal('Connect with POST: sessions are not supported.'))

/** Takes our own tokens alone: an access token of OAuth would be checked here. */
export async function admitAgent(ctx: Context, request: HttpRequest): Promise<User> {
  if (bearerOf(request) === undefined) {
    throw new AppError('unauthenticated', 'Send a token for agents: Authorization: Bearer ctm_….')
  }
  return admitToken(ctx, {
    request,
    require: ({ abilities }) => {
      if (abilities.has('agent')) return
      throw new AppError('forbidden', 'This token is not for agents. Create one for agents under Connect.')
    },
  })
}

/** Parameters, arguments, and the arguments within these: our calls go no deeper. */
const PARAM_DEPTH = 3

/** Clients fill what they leave out with nulls; the protocol knows none there. */
function withoutNullParams(message: unknown): unknown {
  const { params } = Object(message)
  if (params === undefined) return message
  return { ...(message as object), params: withoutNulls(params ?? undefined, PARAM_DEPTH) }
}

function withoutNulls(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const given = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(given.map(([name, inner]) => [name, withoutNulls(inner, depth - 1)]))
}

function isChainCall(body: unknown): boolean {
  const { method, params } = Object(body)
  return method === 'tools/call' && isChainTool(Object(params).name)
}

const LIST = /^(prompts|resources|resources\/templates|tools)\/list$/

function isReading(body: unknown): boolean {
  return LIST.test(Object(body).method) || (isTaking(body) && !isChainCall(body))
}

/** What a person or a model asked for, other than lists. */
function isTaking(body: unknown): boolean {
  const { method } = Object(body)
  return method === 'prompts/get' || method === 'tools/call' || method === 'resources/read'
}

export function sendRefusal(reply: HttpReply, error: AppError | undefined): HttpReply {
  const status = (error && STATUSES[error.code]) ?? 500
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="Catenary"')
  if (error?.retryAfter !== undefined) reply.header('retry-after', Math.ceil(error.retryAfter))
  const message = error?.message ?? 'Something went wrong on the server'
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .send(refusal(message, status === 500 ? FAILED : REFUSED))
}

const refusal = (message: string, code = REFUSED) => ({ jsonrpc: '2.0', id: null, error: { code, message } })

/** Where the newer revision has each call say who makes it. */
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo'
const REMEMBERED = 1_000

/** By token and User-Agent; the one that was heard of longest ago comes first. */
const knownClients = onePerApp(() => new Map<string, string>())

/** How a client calls itself. Those of the older revisions say it once, at their beginning. */
function clientNameOf(ctx: Context, { request, tokenId }: { request: HttpRequest; tokenId: number }): string {
  const known = knownClients(ctx)
  const agent = clientOf(request)
  const key = `${tokenId} ${request.headers['user-agent'] ?? ''}`.slice(0, 300)
  const said = readClient(request.body)
  const name = said ?? known.get(key)
  if (name === undefined) return agent
  known.delete(key)
  known.set(key, name)
  const [oldest] = known.keys()
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
  return name
}

function readClient(body: unknown): string | undefined {
  const { method, params } = Object(body)
  const { clientInfo, _meta } = Object(params)
  const info = method === 'initialize' ? clientInfo : Object(_meta)[CLIENT_KEY]
  const { title, name, version } = Object(info)
  const called = typeof title === 'string' && title !== '' ? title : name
  if (typeof called !== 'string' || called === '') return undefined
  return toClientName({ name: called, version: typeof version === 'string' ? version : '' })
}
