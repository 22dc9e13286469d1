import * as z from 'zod'
import { idParam, timestamp } from '../common.ts'
import { apiHeaders, requireAddress } from './variables.ts'

/** GET /api/proxy: fetches an API variable now, past the cache. */
export const proxyQuery = z.strictObject({
  url: z
    .string()
    .min(1)
    .max(2000)
    .describe('The variable’s stored apiUrl; no other address is fetched (D24).'),
  variableId: idParam.describe('Id of a variable of type api.'),
})
export const proxyReply = z.object({
  content: z.string().describe('JSON indented by two spaces, or other text unchanged.'),
  contentType: z.string().describe('Content type of the fetched reply.'),
  fetchedAt: timestamp,
})
export type ProxyReply = z.infer<typeof proxyReply>

/** POST /api/proxy: tries an address with the caller's own headers before a variable is made of it. */
export const tryAddressRequest = z
  .strictObject({
    apiUrl: z.string().trim().max(2000).describe('http or https, without credentials.'),
    apiHeaders: apiHeaders.describe('Headers to try; sent once and not stored.'),
  })
  .superRefine(requireAddress)
export type TryAddressRequest = z.infer<typeof tryAddressRequest>
