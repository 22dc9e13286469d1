import { type McpTokenSees, SEEN_NAMES_MAX, type User } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import { findOwnReach } from '../../tokens/tokens.ts'
import { toolNameOf } from './mcp-chains.ts'
import {
  countReachedChains,
  countReachedPrompts,
  listReachedChains,
  listReachedPrompts,
} from './mcp-reach.sql.ts'

/** What clients of a token list, for who created it; throws `not_found` for others. */
export async function showReach(
  ctx: Context,
  { id, user }: { id: number; user: User },
): Promise<McpTokenSees> {
  const { db } = ctx
  const reach = { ...(await findOwnReach(ctx, { id, user })), userId: user.id }
  const promptsOf = async (kind: 'prompt' | 'skill') => {
    const rows = await listReachedPrompts(db, { reach, kind, limit: SEEN_NAMES_MAX })
    const names = rows.map((row) => ({ id: row.id, name: row.name, title: row.title }))
    return { count: await countReachedPrompts(db, { reach, kind }), names }
  }
  const rows = await listReachedChains(db, { reach, limit: SEEN_NAMES_MAX })
  const names = rows.map((row) => ({ id: row.id, name: toolNameOf(row), title: row.title }))
  return {
    prompts: await promptsOf('prompt'),
    chains: { count: await countReachedChains(db, reach), names },
    skills: await promptsOf('skill'),
  }
}
