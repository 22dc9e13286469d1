import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'

/** The server as features see it: schemas are zod, and types follow from them. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** A feature's HTTP edge. */
export type Routes = (app: HttpApp) => void

export type {
  FastifyError as HttpError,
  FastifyReply as HttpReply,
  FastifyRequest as HttpRequest,
} from 'fastify'
