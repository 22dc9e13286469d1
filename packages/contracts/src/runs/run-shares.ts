import * as z from 'zod'

/** Private names that a yes covers at most. */
export const SHARED_NAMES_MAX = 200

const name = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,50}$/, 'A name has letters, digits and underscores')
  .transform((text) => text.toLowerCase())

/** PUT /api/chains/{id}/run-share and the same of a prompt */
export const shareRunsRequest = z.strictObject({
  names: z
    .array(name)
    .max(SHARED_NAMES_MAX, `At most ${SHARED_NAMES_MAX} names`)
    .describe(
      'Private variables that it covers. A run that used another one is not shared until that name is added.',
    ),
})
export type ShareRunsRequest = z.output<typeof shareRunsRequest>

/** GET the same: whether the caller shares their runs of it with everyone who sees it (D59). */
export const runShare = z.object({
  isShared: z.boolean().describe('The caller shares their runs of it.'),
  names: z.array(z.string()).describe('Private variables that it covers, in lower case.'),
  privateNames: z
    .array(z.string())
    .describe(
      'The caller’s private variables that its text names or their latest runs of it used, in lower case.',
    ),
})
export type RunShare = z.infer<typeof runShare>
