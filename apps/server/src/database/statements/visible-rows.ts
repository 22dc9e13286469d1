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

/** The rows that `canViewRecord` lets the viewer see. */
export function promptsVisibleTo(viewerId: ViewerId): SQL | undefined {
  const isPublicOrOwn = publicOrOwn(prompts, viewerId)
  return viewerId === undefined ? isPublicOrOwn : or(isPublicOrOwn, promptsSharedWith(viewerId))
}

/** Those that are shared with the viewer by name. As an array: the planner then takes them for the few that they are. */
export function promptsSharedWith(viewerId: ViewerId): SQL {
  const { recordId, userId } = promptShares
  return sql`${prompts.id} = any(array(select ${recordId} from ${promptShares} where ${userId} = ${viewerId}))`
}

/** The rows that `canSeeVariable` lets the viewer see. */
export function variablesVisibleTo(viewerId: ViewerId): SQL | undefined {
  return publicOrOwn(variables, viewerId)
}

function publicOrOwn(rows: typeof prompts | typeof variables, viewerId: ViewerId): SQL | undefined {
  const isPublic = eq(rows.isPublic, true)
  return viewerId === undefined ? isPublic : or(isPublic, eq(rows.ownerId, viewerId))
}

/** The row of the viewer in the chain's shares; a guest has none. */
export function isShareOf(viewerId: number | Column | undefined): SQL | undefined {
  return and(eq(chainShares.recordId, chains.id), sql`${chainShares.userId} = ${viewerId ?? null}`)
}

/** Those that are shared with the viewer by name, joined with `isShareOf`. */
export const chainsSharedByName = and(eq(chains.sharedLevel, 'shared'), sql`${chainShares.role} is not null`)

/** The rows that `canViewRecord` lets the viewer see, joined with `isShareOf`. */
export function chainsVisibleTo(viewerId: number | Column | undefined): SQL | undefined {
  const isPublic = eq(chains.sharedLevel, 'public')
  if (viewerId === undefined) return isPublic
  return or(isPublic, eq(chains.ownerId, viewerId), chainsSharedByName)
}

/** The person's acceptance of the chain. */
export function isAcceptanceOf(userId: number): SQL | undefined {
  return and(eq(chainAcceptances.recordId, chains.id), eq(chainAcceptances.userId, userId))
}

/** What 'all' of a person's tokens holds: their own chains, and others' that they accepted; joined with `isAcceptanceOf`. */
export function chainsInAllOf(userId: number): SQL | undefined {
  return or(eq(chains.ownerId, userId), isNotNull(chainAcceptances.userId))
}

/** The same of prompts. */
export function promptsInAllOf(userId: number): SQL | undefined {
  const { recordId, userId: whose } = promptAcceptances
  const accepted = sql`${prompts.id} = any(array(select ${recordId} from ${promptAcceptances} where ${whose} = ${userId}))`
  return or(eq(prompts.ownerId, userId), accepted)
}
