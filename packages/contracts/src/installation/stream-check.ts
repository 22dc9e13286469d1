import * as z from 'zod'

/** From the first of its two events to the second. */
export const STREAM_CHECK_GAP_MS = 600

/** How the call itself arrived, in each of its two events. */
export const streamCheckEvent = z.object({
  forwarded: z.int().describe('Addresses in X-Forwarded-For.'),
  believed: z.int().describe('How many of them TRUST_PROXY believes.'),
  authorization: z.boolean().describe('An Authorization header arrived.'),
})
export type StreamCheckEvent = z.infer<typeof streamCheckEvent>
