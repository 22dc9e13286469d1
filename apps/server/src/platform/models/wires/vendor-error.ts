import { ProviderError } from '../provider-error.ts'

/** What a vendor, or a server that speaks its API, says of a failure. */
interface VendorError {
  message: string
  words: string
  status: number | undefined
}

const NONE: VendorError = { message: '', words: '', status: undefined }
const SENTENCES = [
  'message',
  'msg',
  'error_description',
  'error_msg',
  'errorMessage',
  'status_msg',
  'faultstring',
  'Message',
  'title',
]
const INNER = ['error', 'errors', 'detail', 'fault', 'base_resp', 'err']
const CODES = ['code', 'type', 'status', 'statusCode', 'error_code', 'status_code', 'reason']
/** Longer ones are a page, or a log. */
const PLAIN_TEXT_MAX = 500
const LISTED = 3

/** Reads the error forms of the vendors and of servers that people run: of OpenAI, Google, FastAPI, Cloudflare, vLLM. */
function readVendorError(value: unknown, depth = 0): VendorError {
  if (typeof value === 'string') return { ...NONE, message: value }
  if (typeof value !== 'object' || value === null || depth > 5) return NONE
  if (Array.isArray(value))
    return joined(value.slice(0, LISTED).map((each) => readVendorError(each, depth + 1)))
  const fields = value as Record<string, unknown>
  const inner = INNER.flatMap((name) => (has(fields[name]) ? [readVendorError(fields[name], depth + 1)] : []))
  const within = joined(inner)
  const sentence = SENTENCES.map((name) => fields[name]).find(
    (text) => typeof text === 'string' && text !== '',
  )
  const codes = CODES.map((name) => fields[name]).filter((code) => /^(string|number)$/.test(typeof code))
  const own = codes.map(Number).find((code) => code >= 400 && code < 600)
  return {
    message: within.message || withPlace(String(sentence ?? ''), fields.loc),
    words: [...codes, within.words].join(' ').trim(),
    status: own ?? within.status,
  }
}

/** FastAPI says which field of the request is wrong beside the sentence. */
function withPlace(sentence: string, place: unknown): string {
  return Array.isArray(place) && sentence !== '' ? `${sentence} (${place.join('.')})` : sentence
}

function joined(errors: readonly VendorError[]): VendorError {
  return {
    message: errors
      .map(({ message }) => message)
      .filter((message) => message !== '')
      .join('; '),
    words: errors
      .map(({ words }) => words)
      .join(' ')
      .trim(),
    status: errors.find(({ status }) => status !== undefined)?.status,
  }
}

const has = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  Object.keys(Object(value)).length > 0

/** The vendor's words for failures that come without a status. */
const STATUS_OF_WORD: [RegExp, number][] = [
  [/quota|rate.?limit|exhausted|too.?many.?requests/i, 429],
  [/unauthori|authenticat|api.?key|invalid.?token/i, 401],
  [/permission/i, 403],
  [/not.?found/i, 404],
  [/invalid|bad.?request|context.?length|too.?large|billing/i, 400],
  [/timeout|deadline/i, 504],
  [/overload|unavailable|queue is full|at capacity/i, 503],
]

export function reportedError(error: unknown): ProviderError {
  const { message, words, status } = readVendorError(error)
  // Where no word stands beside it, the sentence itself is all that tells.
  const told = /[a-z]/i.test(words) ? words : message
  const byWord = STATUS_OF_WORD.find(([word]) => word.test(told))?.[1] ?? 500
  return new ProviderError({ status: status ?? byWord, body: JSON.stringify({ error }), message })
}

export function errorIn(value: unknown): ProviderError | undefined {
  const found = [value].flat().find(isError)
  return found === undefined ? undefined : reportedError(found)
}

function isError(value: unknown): boolean {
  const fields = Object(value) as Record<string, unknown>
  const {
    error,
    errors,
    detail,
    fault,
    object,
    type,
    success,
    message,
    code,
    status,
    base_resp: base,
  } = fields
  if (has(error) || error === true) return true
  if (object === 'error' || type === 'error' || success === false) return true
  if (Array.isArray(errors) && errors.length > 0) return true
  if (has(detail) || has(fault)) return true
  if (Number((Object(base) as { status_code?: unknown }).status_code ?? 0) !== 0) return true
  return typeof message === 'string' && [code, status, fields.statusCode].some((told) => told !== undefined)
}

/** The vendor's sentence in the body of a failed reply; '': it says none that people would read. */
export function sentenceIn(body: string): string {
  try {
    return readVendorError(JSON.parse(body)).message
  } catch {
    const text = body.trim()
    return text.length > PLAIN_TEXT_MAX || /^[<{[]/.test(text) ? '' : text
  }
}
