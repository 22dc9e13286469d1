import * as z from 'zod'
import { entryName, id, idParams } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { listQuery } from '../lists.ts'
import { RECORD_KINDS } from '../records/records.ts'
import { shareRole } from '../records/shares.ts'

/** The group of everyone with an account, which nobody made: its row is the first. */
export const EVERYONE_ID = 1
export const GROUP_MEMBERS_MAX = 1_000
export const GROUP_LEADERS_MAX = 50
/** Of what is shared with a group, as one call names it. */
export const GROUP_SHARES_LISTED = 500

const groupName = entryName.describe('Trimmed; unique among all groups: no two look the same.')

const username = z.string().trim().min(1).max(100).describe('Username, ignoring case.')

/* @__NO_SIDE_EFFECTS__ */
function usernames(most: number, who: string) {
  const error = () => `A group has at most ${most.toLocaleString('en')} ${who}`
  return z.array(username).max(most, { error })
}

const members = usernames(GROUP_MEMBERS_MAX, 'members')
const leaders = usernames(GROUP_LEADERS_MAX, 'leaders')

export const group = z.object({
  id,
  name: groupName,
  isBuiltIn: z
    .boolean()
    .describe(
      '`everyone`: all people with an account, but no guests. It can’t be changed and has no list of members.',
    ),
  memberCount: z.int().describe('Number of members; for `everyone`, accounts that are not disabled.'),
  members: z.array(z.string()).describe('Usernames, sorted.'),
  leaders: z
    .array(z.string())
    .describe('Members who may change its name and members, sorted; empty: only admins may.'),
  shareCount: z
    .int()
    .describe('How many prompts and chains are shared with it, including those that the caller can’t see.'),
  canEdit: z.boolean().describe('The caller may change its name, leaders and members, and delete it.'),
})
export type Group = z.infer<typeof group>

const groupShare = z.object({
  kind: z.enum(RECORD_KINDS).describe('What is shared.'),
  id,
  title: z.string().describe('Title of the prompt, or name of the chain.'),
  role: shareRole,
})
export type GroupShare = z.infer<typeof groupShare>

export const groupDetails = group.extend({
  shares: z
    .array(groupShare)
    .describe(
      `What is shared with it and visible to the caller: prompts, then chains, by name. At most ${GROUP_SHARES_LISTED}.`,
    ),
  hiddenShares: z
    .int()
    .nullable()
    .describe(
      'How many more are shared with it that the caller can’t see; null unless the caller is an admin.',
    ),
})
export type GroupDetails = z.infer<typeof groupDetails>

const createGroupRequest = z.strictObject({
  name: groupName,
  members: members.default([]).describe('Usernames, in addition to the caller.'),
  leaders: leaders.default([]).describe('Usernames, in addition to the caller. Leaders are members too.'),
})
export type CreateGroupRequest = z.output<typeof createGroupRequest>

const updateGroupRequest = z
  .strictObject({
    name: groupName.optional(),
    leaders: leaders
      .optional()
      .describe('Usernames: the full new list. Leaders become members; empty: only admins may change it.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Nothing to change')
export type UpdateGroupRequest = z.output<typeof updateGroupRequest>

const saveMembersRequest = z.strictObject({
  usernames: members.describe('Usernames: the full new list. Leaders who are not in it stop being leaders.'),
})

export const GROUP_MAKERS = ['admins', 'everyone'] as const
const madeBy = z
  .enum(GROUP_MAKERS)
  .describe('Who may create groups: only admins, or everyone with an account.')
export type GroupMakers = z.infer<typeof madeBy>

export const groupMaking = z.object({
  madeBy,
  canMake: z.boolean().describe('The caller may create groups.'),
})
export type GroupMaking = z.infer<typeof groupMaking>

const NOT_SEEN = '404 for a group that the caller is not in; admins see all.'
const LEADERS_ONLY = `For its leaders, and admins; 403 for its other members and for \`everyone\`. ${NOT_SEEN}`

export const groupsApi = defineApi('groups', {
  'GET /api/groups': {
    who: 'user',
    summary: 'Your groups, oldest first',
    description: 'Those that you are in, beginning with `everyone`. Admins get all groups.',
    query: listQuery,
    list: group,
    errors: [401],
  },
  'POST /api/groups': {
    who: 'user',
    summary: 'Create a group',
    description:
      'You become its first member and leader. 403 if only admins may create groups, 409 if the name is taken, even by a group that you can’t see.',
    body: createGroupRequest,
    created: group,
    errors: [401, 403, 409],
    activity: { kind: 'group.created', object: 'group' },
  },
  'GET /api/groups/making': {
    who: 'user',
    summary: 'Who may create groups',
    reply: groupMaking,
    errors: [401],
  },
  'GET /api/groups/{id}': {
    who: 'user',
    summary: 'A group, and what is shared with it',
    description: NOT_SEEN,
    params: idParams,
    reply: groupDetails,
    errors: [401, 404],
  },
  'PATCH /api/groups/{id}': {
    who: 'user',
    summary: 'Rename a group, or change who leads it',
    description: `${LEADERS_ONLY} 409 if the name is taken.`,
    params: idParams,
    body: updateGroupRequest,
    reply: group,
    errors: [401, 403, 404, 409],
    activity: { kind: 'group.changed', object: 'group' },
  },
  'DELETE /api/groups/{id}': {
    who: 'user',
    summary: 'Delete a group',
    description: `Its members lose what was shared only with it at once. ${LEADERS_ONLY}`,
    params: idParams,
    errors: [401, 403, 404],
    activity: { kind: 'group.deleted', object: 'group' },
  },
  'PUT /api/groups/{id}/members': {
    who: 'user',
    summary: 'Set who is in a group',
    description: `Anyone who is not in the list loses what was shared only with the group at once. ${LEADERS_ONLY}`,
    params: idParams,
    body: saveMembersRequest,
    reply: group,
    errors: [401, 403, 404],
    activity: { kind: 'group.members_changed', object: 'group' },
  },
  'PUT /api/admin/groups': {
    who: 'admin',
    summary: 'Set who may create groups',
    body: z.strictObject({ madeBy }),
    reply: groupMaking,
    errors: [401, 403],
    activity: { kind: 'instance.group_makers_set', object: 'instance' },
  },
})
