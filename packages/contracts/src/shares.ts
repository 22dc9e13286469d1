import * as z from 'zod'

/** What people share with each other by name. */
export const SHARED_KINDS = ['chain', 'prompt'] as const
export type SharedKind = (typeof SHARED_KINDS)[number]

const SHARES_MAX = 200

const shareRole = z.enum(['viewer', 'editor']).describe('viewer: see and run; editor: change it too (D33).')
export type ShareRole = z.infer<typeof shareRole>

/** GET /api/chains/{id}/shares and GET /api/prompts/{id}/shares, for editors of the record. */
export const share = z.object({
  username: z.string().describe('Username of the person.'),
  role: shareRole,
})
export type Share = z.infer<typeof share>

/** PUT on the same: the whole new list, by the owner; people who are not in it lose access at once. */
export const saveSharesRequest = z
  .array(
    z.strictObject({
      username: z.string().trim().min(1).max(100).describe('Ignoring case.'),
      role: shareRole,
    }),
  )
  .max(SHARES_MAX)

export const OWNERSHIPS = ['all', 'mine', 'shared'] as const
export type Ownership = (typeof OWNERSHIPS)[number]

/** Whose records a list shows. */
export const ownership = z
  .enum(OWNERSHIPS)
  .default('all')
  .describe(
    'mine: only the caller’s own; shared: only what is shared with the caller by name. Both are empty for guests.',
  )
