import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { AppContext } from '../context.ts'

export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

export type RunLimit = ReturnType<HttpApp['rateLimit']>
export type StreamLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export interface PersonLimits {
  limitRuns: RunLimit
  limitStreams: StreamLimit
}

export interface Edge extends PersonLimits {
  ctx: AppContext
}

export type Routes = (app: HttpApp, edge: Edge) => void

export type {
  FastifyError as HttpError,
  FastifyReply as HttpReply,
  FastifyRequest as HttpRequest,
} from 'fastify'
