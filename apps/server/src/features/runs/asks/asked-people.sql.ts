import { EVERYONE_ID } from '@catenary/contracts'
import { and, asc, type Column, eq, not, or, type SQL, sql } from 'drizzle-orm'
import { asks, chains, users } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'
import { chainsVisibleTo, groupsOf, roleOf } from '../../../database/statements/visible-rows.ts'

/** Of an ask beside its chain: it names the person, a group of theirs, or the role that they have by a share now. */
function isNamed(personId: number | Column): SQL {
  const hasRole = sql`case ${asks.role}
    when 'owner' then ${chains.ownerId} = ${personId}
    else ${chains.sharedLevel} = 'shared' and ${roleOf('chain', personId)}::text = ${asks.role}
  end`
  return sql`(
    ${personId} = any(${asks.people})
    or ${asks.groups} && array(${groupsOf(personId)})
    or (${asks.role} is not null and ${hasRole})
  )`
}

/** Whoever lost sight of the chain is asked no more (D85). */
export function isAskedOf(personId: number | Column): SQL | undefined {
  return and(chainsVisibleTo(personId as number), isNamed(personId), not(isKeptFrom(personId)))
}

/** The runner, where the step says that somebody else is to decide. */
function isKeptFrom(personId: number | Column): SQL {
  return sql`(${asks.notTheRunner} and ${asks.userId} = ${personId})`
}

/** What a person may answer, or could have, and what their own runs ask. */
export function isSeenBy(personId: number): SQL | undefined {
  return and(chainsVisibleTo(personId), or(eq(asks.userId, personId), isNamed(personId)))
}

export const isOpen: SQL = sql`${asks.status} = 'open'`

const EVERYONE = sql.raw(String(EVERYONE_ID))

/** Of whom alone it can be asked whether they may answer, so that not every account is: of each ask few, as a rule. */
const candidates = sql`(
  select unnest(${asks.people})
  union all select ${chains.ownerId} where ${asks.role} = 'owner'
  union all select user_id from group_members where group_id = any(${asks.groups})
  union all select user_id from chain_shares where chain_id = ${asks.chainId} and ${asks.role} is not null
  union all select members.user_id from chain_group_shares as shares join group_members as members using (group_id)
    where shares.chain_id = ${asks.chainId} and ${asks.role} is not null
  union all select everyone.id from users as everyone where ${EVERYONE} = any(${asks.groups}) or (
    ${asks.role} is not null
    and exists (select from chain_group_shares where chain_id = ${asks.chainId} and group_id = ${EVERYONE})
  )
)`

const isLeft = (): SQL | undefined =>
  and(sql`${users.id} in ${candidates}`, eq(users.banned, false), isAskedOf(users.id))

/** The accounts that may answer an ask now, the runner too where the step lets them. */
export async function listAskedPeople(db: Executor, { id, limit }: { id: number; limit: number }) {
  return db
    .select({
      id: users.id,
      username: users.displayUsername,
      email: users.email,
      role: users.role,
      notifications: users.notifications,
    })
    .from(asks)
    .innerJoin(chains, eq(chains.id, asks.chainId))
    .innerJoin(users, isLeft())
    .where(eq(asks.id, id))
    .orderBy(asc(users.id))
    .limit(limit)
}

export const isAnybodyAsked = async (db: Executor, id: number): Promise<boolean> =>
  (await listAskedPeople(db, { id, limit: 1 })).length > 0

/** Open ones that nobody is left to answer. */
export function listLostAsks(db: Executor) {
  const anybody = sql`exists (select from ${users} where ${isLeft()})`
  return db
    .select({ id: asks.id, executionId: asks.executionId })
    .from(asks)
    .innerJoin(chains, eq(chains.id, asks.chainId))
    .where(and(isOpen, not(anybody)))
    .orderBy(asc(asks.id))
}
