import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { HttpApp } from './routes.ts'
import { findHostileText } from './security/hostile-text.ts'
import { exceededBound } from './security/json-size.ts'

const VALUES_MAX = 20_000
/** Deeper than anything that is asked for; what is done with a value may need the stack. */
const DEPTH_MAX = 100
/** How PostgreSQL's NUL and lone surrogates are written in JSON: nothing else brings them. */
const HOSTILE_ESCAPE = /\\u(?:0000|d[89a-f])/i
const ENCODING_NAME = /^[\w-]{1,20}$/

declare module 'fastify' {
  interface FastifyRequest {
    parsingMs: number
  }
}

/** Processor time of this thread, in µs; Node 22 knows that of all threads alone. */
const cpuUsage = (process as Partial<typeof process>).threadCpuUsage ?? process.cpuUsage

type Parse = ReturnType<HttpApp['getDefaultJsonParser']>
type Parsed = { body: unknown } | { error: Error }

/** An empty body counts as none; any other type than JSON is refused with 415. */
export function acceptJsonOnly(app: HttpApp): void {
  const strict = app.getDefaultJsonParser('error', 'error')
  const lenient = app.getDefaultJsonParser('ignore', 'ignore')

  app.decorateRequest('parsingMs', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const { user, system } = cpuUsage()
    const refusal = refusalOf(request, bytes as Buffer)
    if (refusal !== undefined) return done(refusal)
    if (bytes.length === 0) return done(null, undefined)
    const text = bytes.toString()
    const parsed = parseWith(strict, { request, text })
    if ('error' in parsed) return done(poisonOf(parseWith(lenient, { request, text })) ?? parsed.error)
    const hostile = HOSTILE_ESCAPE.test(text) ? refuse(parsed.body) : undefined
    const used = cpuUsage({ user, system })
    request.parsingMs = (used.user + used.system) / 1_000
    if (hostile === undefined) done(null, parsed.body)
    else done(hostile)
  })
}

function refusalOf({ headers, routeOptions }: FastifyRequest, bytes: Buffer): AppError | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    const name = ENCODING_NAME.test(encoding) ? encoding : 'an encoding'
    return new AppError(
      'unsupported_type',
      `The body is compressed (${name}): send it uncompressed, without Content-Encoding`,
    )
  }
  const values = routeOptions.config.admission?.values ?? VALUES_MAX
  const exceeded = exceededBound(bytes, { values, depth: DEPTH_MAX + 1 })
  if (exceeded === undefined) return undefined
  const most =
    exceeded === 'depth'
      ? `At most ${DEPTH_MAX} levels of nesting`
      : `At most ${values.toLocaleString('en')} values in a body`
  return new AppError('invalid', most, { details: [{ path: '', message: most }] })
}

/** Both of Fastify's parsers answer at once. */
function parseWith(parse: Parse, { request, text }: { request: FastifyRequest; text: string }): Parsed {
  let parsed: Parsed = { body: undefined }
  void parse(request, text, (error, body) => {
    parsed = error ? { error } : { body }
  })
  return parsed
}

const poisonOf = (parsed: Parsed): AppError | undefined =>
  'error' in parsed ? undefined : refuse(parsed.body)

function refuse(body: unknown): AppError | undefined {
  const detail = findHostileText([body])
  return detail && new AppError('invalid', detail.message, { details: [detail] })
}
