import { setTimeout as delay } from 'node:timers/promises'
import { DEPTH_HEADER, TOKEN_MARKS, type User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { clientOf } from '../../../platform/http/client-name.ts'
import { HEARTBEAT_MS, sendFrames } from '../../../platform/http/event-stream.ts'
import type { HttpReply, HttpRequest } from '../../../platform/http/routes.ts'
import { admitToken, bearerOf, grantOf } from '../../tokens/tokens.ts'
import { readResponse } from './background-calls.ts'
import { isAnthropic, pathOf } from './call-errors.ts'
import type { GatewayAnswer } from './gateway-answer.ts'
import { GatewayError } from './gateway-error.ts'
import { answerCall, LEVELS, requireRuns } from './operations/answer-call.ts'
import type { ClientWire, ReplyEvent } from './wires/wire.ts'

const KEY_IN_QUERY = /(^|[-_])(key|token|authorization|secret)$/i
const MARKS = Object.values(TOKEN_MARKS)
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/
const DEPTH = /^\d$/
const EXECUTION = /^[1-9]\d{0,9}$/
const EXECUTION_MAX = 2 ** 31 - 1

/** Whose token a call shows, before its body is read. */
export async function admitCall(ctx: Context, request: HttpRequest, reply: HttpReply): Promise<User> {
  if (isAnthropic(request)) reply.header('request-id', request.id)
  return admitToken(ctx, {
    request,
    token: tokenOf(request),
    require: (grant) => requireRuns(grant, pathOf(request)),
  })
}

interface ReceivedCall {
  wire: ClientWire
  request: HttpRequest
  reply: HttpReply
  signal: AbortSignal
}

export async function serveCall(
  ctx: Context,
  { wire, request, reply, signal }: ReceivedCall,
): Promise<HttpReply> {
  const asked = wire.read(request.body)
  asked.ignored.push(...ignoredHeaders(request))
  const answer = await answerCall(ctx, {
    grant: grantOf(request),
    request: asked,
    path: wire.path,
    client: clientOf(request),
    depth: depthOf(request),
    key: keyOf(request),
    resumed: resumedOf(request),
    requestId: request.id,
    signal,
  })
  setAnswerHeaders(reply, answer)
  // Without a run the answer is there already: Best Chain asks back.
  if (asked.background && answer.executionId !== undefined) {
    const name = `resp_${answer.executionId}`
    return reply.send(await readResponse(ctx, { grant: grantOf(request), name }))
  }
  if (!asked.stream) return reply.send(wire.reply({ head: answer.head, answer: await answer.whole() }))
  const events = await begin(answer.events())
  return sendFrames(reply, {
    frames: wire.frames({ head: answer.head, events }),
    heartbeat: wire.heartbeat,
  })
}

/** Waits for the first event, so that an early failure is answered with its status, but no longer than clients do. */
async function begin(events: AsyncGenerator<ReplyEvent>): Promise<AsyncIterable<ReplyEvent>> {
  const first = events.next()
  const waiting = new AbortController()
  const silence = delay(HEARTBEAT_MS, undefined, { signal: waiting.signal }).catch(() => undefined)
  const begun = await Promise.race([first, silence])
  waiting.abort()
  if (begun?.done === false && begun.value.type === 'failed') throw begun.value.error
  return prepend(first, events)
}

/** A reader that stops early stops following the run. */
async function* prepend(
  first: Promise<IteratorResult<ReplyEvent>>,
  events: AsyncGenerator<ReplyEvent>,
): AsyncGenerator<ReplyEvent> {
  try {
    for (let next = await first; next.done !== true; next = await events.next()) yield next.value
  } finally {
    await events.return(undefined)
  }
}

function setAnswerHeaders(reply: HttpReply, { head, executionId }: GatewayAnswer): void {
  const { request, bestChain } = head
  if (request.ignored.length > 0) reply.header('x-catenary-ignored', request.ignored.join(', '))
  if (executionId !== undefined) reply.header('x-catenary-execution', `${executionId}`)
  if (bestChain !== undefined) {
    if ('selected_chain_id' in bestChain) {
      reply.header('x-selected-chain-id', `${bestChain.selected_chain_id}`)
    }
    reply.header('x-selection-confidence', `${bestChain.confidence ?? 1}`)
  }
}

const isOurs = (value: string): boolean => MARKS.some((mark) => value.startsWith(mark))

/** The token from either vendor's header, of both the one in our form (a client may send its vendor's too); throws if it is in the URL, which logs keep. */
function tokenOf(request: HttpRequest): string | undefined {
  for (const [name, value] of Object.entries(Object(request.query))) {
    if (KEY_IN_QUERY.test(name) || isOurs(String(value))) {
      const why = 'Send the token in the header Authorization or x-api-key, never in the address.'
      throw new GatewayError('unauthenticated', why)
    }
  }
  const { 'x-api-key': apiKey } = request.headers
  const sent = [bearerOf(request), apiKey].filter((value) => typeof value === 'string')
  return sent.find(isOurs) ?? sent[0]
}

/** Throws for one that could not be kept. */
function keyOf({ headers }: HttpRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key
  throw new GatewayError('invalid', 'Idempotency-Key must be 1–200 visible ASCII characters.')
}

function resumedOf({ headers }: HttpRequest): number | undefined {
  const id = headers['x-catenary-resume']
  if (id === undefined) return undefined
  if (typeof id === 'string' && EXECUTION.test(id) && Number(id) <= EXECUTION_MAX) return Number(id)
  throw new GatewayError(
    'invalid',
    'x-catenary-resume must be the number in x-catenary-execution of a failed call.',
  )
}

function depthOf({ headers }: HttpRequest): number {
  const depth = headers[DEPTH_HEADER]
  return typeof depth === 'string' && DEPTH.test(depth) ? Number(depth) : 0
}

/** The same of a call that starts a chain. Throws `invalid` for one that stands too deep. */
export function requireDepth(request: HttpRequest): number {
  const depth = depthOf(request)
  if (depth >= LEVELS)
    throw new AppError('invalid', `Chains can call this server at most ${LEVELS} levels deep.`)
  return depth
}

const ignoredHeaders = ({ headers }: HttpRequest): string[] =>
  ['anthropic-beta', 'openai-beta'].filter((name) => headers[name] !== undefined)
