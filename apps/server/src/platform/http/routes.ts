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

/** The server as features see it: schemas are zod, and types follow from them. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

export type RunLimit = ReturnType<HttpApp['rateLimit']>
export type StreamLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** The limits on each person that only some routes have. */
export interface PersonLimits {
  limitRuns: RunLimit
  limitStreams: StreamLimit
}

/** What routes are served with. */
export interface Edge extends PersonLimits {
  ctx: AppContext
}

/** A feature's HTTP edge. */
export type Routes = (app: HttpApp, edge: Edge) => void

export type {
  FastifyError as HttpError,
  FastifyReply as HttpReply,
  FastifyRequest as HttpRequest,
} from 'fastify'
