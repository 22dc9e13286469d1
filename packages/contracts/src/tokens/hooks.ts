import * as z from 'zod'
import { id, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'

export const HOOK_BODY_BYTES = 1_048_576
/** Other programs' payloads are what they are. */
export const HOOK_BODY_VALUES = 100_000
/** A repeat of a delivery is known for so long. */
export const HOOK_REPEAT_DAYS = 7
/** A signature with a time may be so old. */
export const HOOK_TOLERANCE_SECONDS = 300
export const HOOK_DELIVERY_ID_MAX = 255
export const HOOK_REFUSED_MAX = 1_000
const SECRET_MAX = 500
const HEADER_MAX = 100

export const HOOK_SIGNATURE_FORMS = ['github', 'stripe', 'plain'] as const
export type HookSignatureForm = (typeof HOOK_SIGNATURE_FORMS)[number]

/** The header of a form, unless the token names another. */
export const HOOK_SIGNATURE_HEADERS = {
  github: 'X-Hub-Signature-256',
  stripe: 'Stripe-Signature',
  plain: 'X-Signature',
} as const satisfies Record<HookSignatureForm, string>
/** Where the id of a delivery is looked for, unless the token names a header. */
export const HOOK_DELIVERY_HEADERS = ['webhook-id', 'X-GitHub-Delivery'] as const

export const HOOK_TEXTS = {
  unknown: 'There is no such address: it was mistyped, changed or deleted.',
  method: 'Send a POST: to open this address starts nothing.',
  unsigned: 'The signature is missing',
  wrongSignature: 'The signature is wrong',
  oldSignature: 'The signature is too old',
  sealedElsewhere: 'The secret of this address can’t be read any more. Its owner has to set it again.',
  deliveryId: `The id of the delivery must be 1–${HOOK_DELIVERY_ID_MAX} visible ASCII characters`,
  shape: 'A token for a chain’s own address has the scopes `chain:{id}` and `hook`, and no other.',
  settings: 'Only a token for a chain’s own address has a signature or a header of deliveries.',
  newSecret: 'Enter the secret of the signature',
} as const

const headerName = z
  .string()
  .trim()
  .min(1, 'Enter the name of a header')
  .max(HEADER_MAX, `A header’s name must be at most ${HEADER_MAX} characters`)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'This can’t be the name of a header')

const form = z
  .enum(HOOK_SIGNATURE_FORMS)
  .describe(
    'HMAC-SHA256 with the secret. `github`: `sha256=` and hex digits, of the body. `stripe`: `t=…,v1=…`, of the time, a dot ' +
      'and the body, at most 5 minutes old. `plain`: hex digits or Base64, of the body.',
  )
const deliveryHeader = headerName
  .nullable()
  .describe(
    'Header with the id of a delivery, by which a repeat is known; null: `webhook-id`, else `X-GitHub-Delivery`.',
  )

/** Of a request: a secret that was set before stays where none is sent. */
export const hookSettings = {
  signature: z
    .strictObject({
      form,
      header: headerName.optional().describe('Header of the signature. Default: the one of its form.'),
      secret: z
        .string()
        .min(1, HOOK_TEXTS.newSecret)
        .max(SECRET_MAX, `A secret must be at most ${SECRET_MAX} characters`)
        .optional()
        .describe(
          'Shared with the caller; kept sealed, and returned by no call. Absent: the one set before.',
        ),
    })
    .nullable()
    .optional()
    .describe('A call without this signature starts nothing; null: none is needed.'),
  deliveryHeader: deliveryHeader.optional(),
}

export const shownHookSettings = {
  signature: z
    .object({
      form,
      header: z.string().describe('Header of the signature.'),
      setAt: timestamp.describe('When its secret was set.'),
    })
    .nullable()
    .describe('The signature that a call needs, without its secret; null: none.'),
  deliveryHeader,
}

export const hookDelivery = z.object({
  id,
  at: timestamp.describe('When the delivery came in first.'),
  address: z.string().describe('Internet address of the caller.'),
  deliveryId: z.string().nullable().describe('As the caller named it; null: it did not.'),
  status: z.int().describe('HTTP status of the reply: 202 started a run.'),
  reason: z.string().nullable().describe('Why it was refused, in one sentence; null: it was not.'),
  executionId: id.nullable().describe('The run that it started; null: none.'),
  repeats: z.int().describe('How often it came in again, without running again.'),
  lastAt: timestamp.describe('When it came in last.'),
})
export type HookDelivery = z.infer<typeof hookDelivery>

const address = z.object({ token: z.string().max(2_000).describe('Value of the token.') })

/** Its paths are in no log, as whoever knows one can start the chain. Cookies are ignored here. */
export const hooksApi = defineApi('tokens', {
  'POST /hooks/{token}': {
    who: 'hook token',
    summary: 'Start the chain of this address',
    description:
      'The body is the chain’s input, `{{input}}`: JSON (its fields are `{{input.issue.title}}`), a form (likewise), or text; at ' +
      'most 1 MB. The reply comes right away, while the run goes on. A delivery with an id that came in within the last 7 days ' +
      'starts nothing, and is answered as the first was.',
    params: address,
    consumes: ['application/json', 'application/x-www-form-urlencoded', 'text/plain'],
    accepted: z.object({ executionId: id.describe('The run.') }),
    errors: [401, 404, 409, 413, 429],
    bodyBytes: HOOK_BODY_BYTES,
    bodyValues: HOOK_BODY_VALUES,
    crossSiteCheck: false,
    hasSecretPath: true,
    notReplayed: true,
    reads: 'begin',
    writes: 'unlimited',
    activity: { none: 'The delivery and its run are kept.' },
  },
  'GET /hooks/{token}': {
    who: 'guest',
    summary: 'Nothing: an address is called by POST',
    hidden: true,
    params: address,
    sends: { 405: z.object({ error: z.string().describe('One sentence.') }) },
    crossSiteCheck: false,
    hasSecretPath: true,
    reads: 'begin',
  },
})
