import type { ModelErrorCode } from '../../platform/models/model-types.ts'
import { MAX_RETRIES } from '../../platform/models/retry.ts'
import type { FakeReply } from './fake-reply.ts'
import { CANARY_KEY, type FAKE_WIRES } from './start-models-on-fake.ts'

/** What goes wrong with each call, and what becomes of it. */
export interface Fault {
  is: string
  reply: FakeReply
  code: ModelErrorCode
  /** The error's sentence; `{label}` is the model's, `{key}` and `{address}` are its settings. */
  says: string
  /** How often the provider is asked. */
  calls: number
}

const ALL = 1 + MAX_RETRIES
const PAGE = '<!doctype html><title>Not this one</title>'
const AFTER_TEXTS = ['a', 'b']

/** A word of what the provider says with a failure: it is quoted, and cut short. */
export const CANARY_BODY = 'canary-body-51c2'
/** What the provider says with each failure: the key that it was sent, and more than is quoted. */
export const SAID_BY_PROVIDER = `${CANARY_KEY} ${CANARY_BODY.repeat(100)}`
/** What that sentence, where it is quoted, is shortened to. */
const QUOTED = SAID_BY_PROVIDER.replace(CANARY_KEY, '[key]').slice(0, 200)

const SAID = ` It said: “${QUOTED}”`
const refusedKey = (status: number) =>
  `The API key for {label} was refused (${status}). Check {key}.${SAID}` as const
const UNREACHED = '{label} could not be reached: the connection failed or broke off.'
const UNREAD = '{label} sent an answer that could not be read.'
const QUOTA = `The quota or rate limit of {label} is used up (429). Check the plan or try again later.${SAID}`
const away = (status: number) => `{label} is not available at the moment (${status}).${SAID}`
const rejected = (status: number) => `{label} did not accept the request (${status}).${SAID}`
const silent = (seconds: number) => `{label} did not answer in time: it was silent for ${seconds} s.`
const tooLong = (mib: string) => `The answer from {label} exceeded ${mib} MiB and was stopped.`

const fault =
  (code: ModelErrorCode, calls = 1) =>
  (is: string, reply: FakeReply, says: string): Fault => ({ is, reply, code, says, calls })
const key = fault('model_key')
const rejection = fault('model_rejected')
const malformed = fault('model_malformed')
const unavailable = fault('model_unavailable', ALL)
const brokenOff = fault('model_unavailable')
const late = fault('model_timeout')
const endless = fault('model_too_long')

/** What befalls an answer however it was asked for. */
const ANY_FAULTS: Fault[] = [
  key('a refused key', { status: 401 }, refusedKey(401)),
  key('a forbidden key', { status: 403 }, refusedKey(403)),
  fault('model_quota', ALL)('a used-up rate', { status: 429 }, QUOTA),
  fault('model_quota')('a used-up account', { status: 429, errorType: 'insufficient_quota' }, QUOTA),
  unavailable('an inner failure', { status: 500 }, away(500)),
  unavailable('an overload', { status: 529 }, away(529)),
  fault('model_timeout', ALL)('a time-out of theirs', { status: 504 }, away(504)),
  rejection('an unknown model', { status: 404 }, rejected(404)),
  rejection('a request that is too long', { status: 400 }, rejected(400)),
  rejection('a redirect', { status: 307 }, rejected(307)),
  unavailable('a reset at once', { fault: 'reset' }, UNREACHED),
  late('silence at once', { fault: 'silence' }, silent(300)),
  malformed('nonsense', { fault: 'malformed' }, UNREAD),
  malformed(
    'a web page',
    { raw: PAGE },
    `The address of {label} returned a web page, not a model’s answer. Check {address}.`,
  ),
  malformed('an empty answer', { text: '' }, '{label} sent an empty answer.'),
  malformed(
    'only thoughts',
    { text: '', finish: 'length' },
    '{label} sent an empty answer: its token limit was reached before any text.',
  ),
  fault('model_refused')('a refusal', { text: '', finish: 'refusal' }, '{label} declined to answer.'),
  endless('an endless line', { fault: 'endless-line' }, tooLong('1')),
]

/** What befalls an answer that is read as it is written. */
export const STREAM_FAULTS: Fault[] = [
  ...ANY_FAULTS,
  endless('an endless answer', { fault: 'endless' }, tooLong('0.3')),
  unavailable(
    'an error event at once',
    { fault: 'error-event' },
    `{label} is not available at the moment ({overload}).${SAID}`,
  ),
  unavailable('an end before any text', { fault: 'cut' }, UNREACHED),
  unavailable('no byte', { fault: 'no-body' }, UNREACHED),
  brokenOff('a reset after texts', { text: AFTER_TEXTS, fault: 'reset' }, UNREACHED),
  brokenOff('an end after texts', { text: AFTER_TEXTS, fault: 'cut' }, UNREACHED),
  late('silence after texts', { text: AFTER_TEXTS, fault: 'silence' }, silent(60)),
  malformed('nonsense after texts', { text: AFTER_TEXTS, fault: 'malformed' }, UNREAD),
  brokenOff(
    'an error event after texts',
    { text: AFTER_TEXTS, fault: 'error-event' },
    `{label} is not available at the moment ({overload}).${SAID}`,
  ),
]

/** What befalls an answer that comes in one piece. */
export const WHOLE_FAULTS: Fault[] = [
  ...ANY_FAULTS,
  endless('an endless answer', { fault: 'endless' }, tooLong('1')),
  unavailable('a reset in the middle', { text: 'half', fault: 'reset' }, UNREACHED),
  late('silence in the middle', { text: 'half', fault: 'silence' }, silent(300)),
  malformed('an end in the middle', { text: 'half', fault: 'cut' }, UNREAD),
  unavailable('no byte', { fault: 'no-body' }, UNREACHED),
]

/** The status of the error that each vendor's fake reports inside a stream. */
const OVERLOAD = { anthropic: '503', openai: '500', gemini: '503' }

/** A fault's sentence, as it is for one model. */
export function sentenceOf(
  { says }: Fault,
  {
    vendor,
    label,
    key: keyName,
    address,
  }: { vendor: (typeof FAKE_WIRES)[number]['vendor'] } & Record<'label' | 'key' | 'address', string>,
): string {
  return says
    .replace('{label}', label)
    .replace('{key}', keyName)
    .replace('{address}', address)
    .replace('{overload}', OVERLOAD[vendor])
}
