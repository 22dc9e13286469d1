import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { chainShares, chains, prompts } from './schema/index.ts'

/** The rows that `canSeePrompt` lets the viewer see. */
export function promptsVisibleTo(viewerId: number | undefined): SQL | undefined {
  const isPublic = eq(prompts.isPublic, true)
  return viewerId === undefined ? isPublic : or(isPublic, eq(prompts.ownerId, viewerId))
}

/** The row of the viewer in the chain's shares; a guest has none. */
export function isShareOf(viewerId: number | undefined): SQL | undefined {
  return and(eq(chainShares.chainId, chains.id), sql`${chainShares.userId} = ${viewerId ?? null}`)
}

/** The rows that `canViewChain` lets the viewer see, joined with `isShareOf`. */
export function chainsVisibleTo(viewerId: number | undefined): SQL | undefined {
  const isPublic = eq(chains.sharedLevel, 'public')
  if (viewerId === undefined) return isPublic
  const isShared = and(eq(chains.sharedLevel, 'shared'), sql`${chainShares.role} is not null`)
  return or(isPublic, eq(chains.ownerId, viewerId), isShared)
}
