import { TOKEN_MARKS } from '@catenary/contracts'
import type { HttpRequest } from '../../../platform/http/routes.ts'
import { GatewayError } from './gateway-error.ts'

const KEY_IN_QUERY = /(^|[-_])(key|token|authorization|secret)$/i
const MARKS = Object.values(TOKEN_MARKS)
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/
const DEPTH = /^\d$/
const EXECUTION = /^[1-9]\d{0,9}$/
const EXECUTION_MAX = 2 ** 31 - 1

const isOurs = (value: string): boolean => MARKS.some((mark) => value.startsWith(mark))

/** The token from either vendor's header, of both the one in our form (a client may send its vendor's too); throws if it is in the URL, which logs keep. */
export function tokenOf(request: HttpRequest): string | undefined {
  for (const [name, value] of Object.entries(Object(request.query))) {
    if (KEY_IN_QUERY.test(name) || isOurs(String(value))) {
      const why = 'Send the token in the header Authorization or x-api-key, never in the address.'
      throw new GatewayError('unauthenticated', why)
    }
  }
  const { authorization, 'x-api-key': apiKey } = request.headers
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  const sent = [bearer, apiKey].filter((value) => typeof value === 'string')
  return sent.find(isOurs) ?? sent[0]
}

/** Throws for one that could not be kept. */
export function keyOf({ headers }: HttpRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key
  throw new GatewayError('invalid', 'Idempotency-Key must be 1–200 visible ASCII characters.')
}

/** The failed run that the call goes on with; throws for what is no run's id. */
export function resumedOf({ headers }: HttpRequest): number | undefined {
  const id = headers['x-catenary-resume']
  if (id === undefined) return undefined
  if (typeof id === 'string' && EXECUTION.test(id) && Number(id) <= EXECUTION_MAX) return Number(id)
  throw new GatewayError(
    'invalid',
    'x-catenary-resume must be the number in x-catenary-execution of a failed call.',
  )
}

/** What does not come from a chain counts as the first call. */
export function depthOf({ headers }: HttpRequest): number {
  const depth = headers['x-catenary-depth']
  return typeof depth === 'string' && DEPTH.test(depth) ? Number(depth) : 0
}

export const ignoredHeaders = ({ headers }: HttpRequest): string[] =>
  ['anthropic-beta', 'openai-beta'].filter((name) => headers[name] !== undefined)
