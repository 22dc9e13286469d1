import * as z from 'zod'
import { idParams } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import type { RecordKind } from './records.ts'

const SHARES_MAX = 200

export const shareRole = z
  .enum(['viewer', 'editor'])
  .describe('viewer: see and run; editor: change it too (D33).')
export type ShareRole = z.infer<typeof shareRole>

export const share = z.union([
  z.object({ username: z.string().describe('Username of the person.'), role: shareRole }),
  z.object({ group: z.string().describe('Name of the group.'), role: shareRole }),
])
export type Share = z.infer<typeof share>

const sharedWith = z.string().trim().min(1).max(100)

export const saveSharesRequest = z
  .array(
    z
      .strictObject({
        username: sharedWith.optional().describe('Username of a person, ignoring case.'),
        group: sharedWith
          .optional()
          .describe(
            'Instead of a person: name of a group that the caller is in, or that is already in the list; admins may name any.',
          ),
        role: shareRole,
      })
      .refine(
        ({ username, group }) => (username === undefined) !== (group === undefined),
        'Name a person or a group',
      ),
  )
  .max(SHARES_MAX)
export type SaveSharesRequest = z.output<typeof saveSharesRequest>

export const OWNERSHIPS = ['all', 'mine', 'shared'] as const
export type Ownership = (typeof OWNERSHIPS)[number]

export const ownership = z
  .enum(OWNERSHIPS)
  .default('all')
  .describe(
    'mine: only the caller’s own; shared: only what is shared with the caller by name or through a group. Both are empty for guests.',
  )

export const shareList = z.array(share)

// Calls that stand in a table by themselves are left out of the web app with it; a member of what a call returns is not.
/* @__NO_SIDE_EFFECTS__ */
function sharesOf(kind: RecordKind, whenItCounts: string) {
  return {
    who: 'user',
    summary: `Whom the ${kind} is shared with: people, then groups, by name`,
    description: `For people who may edit the ${kind}. ${whenItCounts}`,
    params: idParams,
    reply: shareList,
  } as const
}

/* @__NO_SIDE_EFFECTS__ */
function savesSharesOf(kind: RecordKind) {
  return {
    who: 'user',
    summary: `Set whom the ${kind} is shared with`,
    description:
      'For the owner. Send the full new list: anyone who is not in it loses access at once. Of several roles that a person has, the highest counts.',
    params: idParams,
    body: saveSharesRequest,
    reply: shareList,
    activity: { kind: `${kind}.shares_changed`, object: kind },
  } as const
}

export const promptSharesApi = defineApi('prompts', {
  'GET /api/prompts/{id}/shares': sharesOf(
    'prompt',
    'It applies whatever the prompt’s level is, and only this call changes it.',
  ),
  'PUT /api/prompts/{id}/shares': savesSharesOf('prompt'),
})

export const chainSharesApi = defineApi('chains', {
  'GET /api/chains/{id}/shares': sharesOf('chain', 'It applies while the chain’s level is `shared`.'),
  'PUT /api/chains/{id}/shares': savesSharesOf('chain'),
})
