import { and, type Column, eq, not, or, type SQL, sql } from 'drizzle-orm'
import { asks, chains } from '../../../database/schema/index.ts'
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
