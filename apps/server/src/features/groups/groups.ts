import { type GroupMakers, type GroupMaking, groupsApi, type User } from '@catenary/contracts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { createGroup, deleteGroup, saveMembers, updateGroup } from './change-group.ts'
import { canMakeGroups } from './groups.policy.ts'
import { insertGroupEvent, readMakers, saveMakers } from './groups.sql.ts'
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
    await saveMakers(ctx.db, madeBy)
    const action = 'instance.group_makers_set'
    await insertGroupEvent(ctx.db, { groupId: null, actorId: user.id, action, details: { madeBy } })
    return readMaking(ctx, { user })
  })
}
