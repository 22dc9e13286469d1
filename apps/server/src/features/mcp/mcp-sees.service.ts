import { type McpTokenSees, SEEN_NAMES_MAX, type User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { toolNameOf } from './mcp-chains.service.ts'
import {
  countReachedChains,
  countReachedPrompts,
  listReachedChains,
  listReachedPrompts,
  type Reach,
} from './mcp-reach.repository.ts'

export type McpSees = ReturnType<typeof createMcpSees>

/** What clients of a token list, for who created it. */
export function createMcpSees({
  db,
  findOwn,
}: {
  db: Database
  /** Throws `not_found` unless the person created it. */
  findOwn: (wanted: { id: number; user: User }) => Promise<Omit<Reach, 'userId'>>
}) {
  return async ({ id, user }: { id: number; user: User }): Promise<McpTokenSees> => {
    const reach = { ...(await findOwn({ id, user })), userId: user.id }
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
}
