import * as z from 'zod'

export const STREAM_CHECK_GAP_MS = 600

export const streamCheckEvent = z.object({
  forwarded: z.int().describe('Addresses in X-Forwarded-For.'),
  believed: z.int().describe('How many of them TRUST_PROXY trusts.'),
  authorization: z.boolean().describe('An Authorization header arrived.'),
})
export type StreamCheckEvent = z.infer<typeof streamCheckEvent>
