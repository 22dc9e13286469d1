import { and, type Column, eq, isNotNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import {
  chainAcceptances,
  chainShares,
  chains,
  promptAcceptances,
  promptShares,
  prompts,
  variables,
} from '../schema/index.ts'

/** Undefined for a guest; a placeholder in what is prepared. */
type ViewerId = number | Column | Placeholder | undefined

export function promptsVisibleTo(viewerId: ViewerId): SQL | undefined {
  const isPublicOrOwn = publicOrOwn(prompts, viewerId)
  return viewerId === undefined ? isPublicOrOwn : or(isPublicOrOwn, promptsSharedWith(viewerId))
}

/** Those that are shared with the viewer by name. As an array: the planner then takes them for the few that they are. */
export function promptsSharedWith(viewerId: ViewerId): SQL {
  const { recordId, userId } = promptShares
  return sql`${prompts.id} = any(array(select ${recordId} from ${promptShares} where ${userId} = ${viewerId}))`
}

export function variablesVisibleTo(viewerId: ViewerId): SQL | undefined {
  return publicOrOwn(variables, viewerId)
}

function publicOrOwn(rows: typeof prompts | typeof variables, viewerId: ViewerId): SQL | undefined {
  const isPublic = eq(rows.isPublic, true)
  return viewerId === undefined ? isPublic : or(isPublic, eq(rows.ownerId, viewerId))
}

export function isShareOf(viewerId: number | Column | undefined): SQL | undefined {
  return and(eq(chainShares.recordId, chains.id), sql`${chainShares.userId} = ${viewerId ?? null}`)
}

export const chainsSharedByName = and(eq(chains.sharedLevel, 'shared'), sql`${chainShares.role} is not null`)

export function chainsVisibleTo(viewerId: number | Column | undefined): SQL | undefined {
  const isPublic = eq(chains.sharedLevel, 'public')
  if (viewerId === undefined) return isPublic
  return or(isPublic, eq(chains.ownerId, viewerId), chainsSharedByName)
}

export function isAcceptanceOf(userId: number): SQL | undefined {
  return and(eq(chainAcceptances.recordId, chains.id), eq(chainAcceptances.userId, userId))
}

/** What 'all' of a person's tokens holds: their own chains, and others' that they accepted; joined with `isAcceptanceOf`. */
export function chainsInAllOf(userId: number): SQL | undefined {
  return or(eq(chains.ownerId, userId), isNotNull(chainAcceptances.userId))
}

export function promptsInAllOf(userId: number): SQL | undefined {
  const { recordId, userId: whose } = promptAcceptances
  const accepted = sql`${prompts.id} = any(array(select ${recordId} from ${promptAcceptances} where ${whose} = ${userId}))`
  return or(eq(prompts.ownerId, userId), accepted)
}
