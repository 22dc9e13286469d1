import * as z from 'zod'

export const STREAM_CHECK_PATH = '/api/stream-check'
/** From the first of its two events to the second. */
export const STREAM_CHECK_GAP_MS = 600

/** GET /api/stream-check: in each of its two events, how the call itself arrived. */
export const streamCheckEvent = z.object({
  forwarded: z.int().describe('Addresses in X-Forwarded-For.'),
  believed: z.int().describe('How many of them TRUST_PROXY believes.'),
  authorization: z.boolean().describe('An Authorization header arrived.'),
})
export type StreamCheckEvent = z.infer<typeof streamCheckEvent>
