import { nameKey } from '@catenary/contracts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { groups, users } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'

/** The ids of accounts of these names, as far as there are some. */
export async function listPeopleNamed(db: Executor, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const keys = names.map((name) => name.toLowerCase())
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.username, keys), eq(users.banned, false)))
    .orderBy(asc(users.id))
  return rows.map(({ id }) => id)
}

export async function listGroupsNamed(db: Executor, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const keys = names.map((name) => nameKey(name))
  const rows = await db
    .select({ id: groups.id })
    .from(groups)
    .where(inArray(groups.nameKey, keys))
    .orderBy(asc(groups.id))
  return rows.map(({ id }) => id)
}

export interface AskedGroup {
  id: number
  name: string
  memberCount: number
  leaders: string[]
}

/** Without the names of their members. */
export async function listAskedGroups(db: Executor, names: readonly string[]): Promise<AskedGroup[]> {
  if (names.length === 0) return []
  const { rows } = await db.execute<AskedGroup & Record<string, unknown>>(sql`
    select groups.id, groups.name, count(members.user_id)::integer as "memberCount",
      coalesce(array_agg(users.display_username order by users.username) filter (where members.is_leader), '{}') as leaders
    from groups
    left join group_members as members on members.group_id = groups.id
    left join users on users.id = members.user_id
    where groups.name_key = any(${sql.param(names.map((name) => nameKey(name)))}::text[])
    group by groups.id order by groups.id`)
  return rows.map(({ id, name, memberCount, leaders }) => ({ id, name, memberCount, leaders }))
}

/** Who has a role in a chain by a share now: people, and groups, which are negative. */
export async function listRoleHolders(
  db: Executor,
  { chainId, role }: { chainId: number; role: 'owner' | 'editor' | 'viewer' },
): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(
    role === 'owner'
      ? sql`select owner_id as id from chains where id = ${chainId}`
      : sql`
          select user_id as id from chain_shares where chain_id = ${chainId} and role = ${role}
          union all select -group_id from chain_group_shares where chain_id = ${chainId} and role = ${role}
          order by id`,
  )
  return rows.map(({ id }) => id)
}
