import { HOOK_BODY_VALUES } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { HttpRequest } from '../../../platform/http/routes.ts'
import { findHostileText } from '../../../platform/http/security/hostile-text.ts'
import { exceededBound } from '../../../platform/http/security/json-size.ts'

const DEPTH_MAX = 100
const FIELDS_MAX = 10_000
/** How PostgreSQL's NUL and lone surrogates are written in JSON. */
const HOSTILE_ESCAPE = /\\u(?:0000|d[89a-f])/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What a call brings, as its chain's input: JSON and text as they came, digit by digit; a form as JSON. */
export function readInput({ headers }: Pick<HttpRequest, 'headers'>, bytes: Buffer): string {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity')
    throw new AppError('unsupported_type', 'Send the body uncompressed, without Content-Encoding')
  if (type === 'application/json' || type.endsWith('+json')) return readJson(bytes)
  if (type === 'application/x-www-form-urlencoded') return readForm(decode(bytes))
  if (type === '' || type.startsWith('text/')) return decode(bytes)
  throw new AppError('unsupported_type', 'Send JSON, a form (application/x-www-form-urlencoded) or text')
}

function readJson(bytes: Buffer): string {
  const exceeded = exceededBound(bytes, { values: HOOK_BODY_VALUES, depth: DEPTH_MAX + 1 })
  if (exceeded === 'depth') throw new AppError('invalid', `At most ${DEPTH_MAX} levels of nesting`)
  if (exceeded)
    throw new AppError('invalid', `At most ${HOOK_BODY_VALUES.toLocaleString('en')} values in a body`)
  const text = decode(bytes)
  if (text === '') return ''
  const value = parse(text)
  if (HOSTILE_ESCAPE.test(text)) refuseHostile(value)
  return text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('invalid', 'The body is not valid JSON')
  }
}

/** A field that comes more than once has a list. */
function readForm(text: string): string {
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > FIELDS_MAX)
    throw new AppError('invalid', `At most ${FIELDS_MAX.toLocaleString('en')} fields in a form`)
  const fields = Object.groupBy(pairs, ([name]) => name)
  const values = Object.entries(fields).map(([name, all = []]): [string, string | string[]] => {
    const [[, first] = ['', ''], ...others] = all
    return [name, others.length === 0 ? first : all.map(([, value]) => value)]
  })
  refuseHostile(values)
  return JSON.stringify(Object.fromEntries(values))
}

function decode(bytes: Buffer): string {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new AppError('invalid', 'Send the body as UTF-8')
  }
  refuseHostile(text)
  return text
}

function refuseHostile(value: unknown): void {
  const detail = findHostileText([value])
  if (detail) throw new AppError('invalid', detail.message)
}
