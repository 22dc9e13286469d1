import { type GroupMakers, type GroupMaking, groupsApi, type User } from '@catenary/contracts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { recordActivity } from '../activity/activity.ts'
import { createGroup, deleteGroup, saveMembers, updateGroup } from './change-group.ts'
import { canMakeGroups } from './groups.policy.ts'
import { readMakers, saveMakers } from './groups.sql.ts'
import { listGroups, readGroup } from './read-groups.ts'

export const serveGroups = handlers(groupsApi, {
  'GET /api/groups': listGroups,
  'POST /api/groups': (ctx, { body, user }) => createGroup(ctx, { ...body, user }),
  'GET /api/groups/making': readMaking,
  'GET /api/groups/{id}': (ctx, { params, user }) => readGroup(ctx, { ...params, user }),
  'PATCH /api/groups/{id}': (ctx, { params, body, user }) => updateGroup(ctx, { ...params, ...body, user }),
  'DELETE /api/groups/{id}': (ctx, { params, user }) => deleteGroup(ctx, { ...params, user }),
  'PUT /api/groups/{id}/members': (ctx, { params, body, user }) =>
    saveMembers(ctx, { ...params, ...body, user }),
  'PUT /api/admin/groups': (ctx, { body, user }) => changeMaking(ctx, { ...body, user }),
})

async function readMaking({ db }: SqlContext, { user }: { user: User }): Promise<GroupMaking> {
  const madeBy = await readMakers(db)
  return { madeBy, canMake: canMakeGroups(user, madeBy) }
}

function changeMaking(
  ctx: Context,
  { madeBy, user }: { madeBy: GroupMakers; user: User },
): Promise<GroupMaking> {
  return transaction(ctx, async (ctx) => {
    const before = { madeBy: await readMakers(ctx.db) }
    await saveMakers(ctx.db, madeBy)
    await recordActivity(ctx, {
      kind: 'instance.group_makers_set',
      object: 'instance',
      before,
      after: { madeBy },
    })
    return readMaking(ctx, { user })
  })
}
