import type { User } from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import { findOptionalReach } from '../token-reach.repository.ts'
import { canManageToken } from '../tokens.policy.ts'
import { tokenNotFound } from './open-token.ts'

/** What a token for agents names; throws `not_found` unless the person created it. */
export async function findOwnReach({ db }: { db: Database }, { id, user }: { id: number; user: User }) {
  const found = await findOptionalReach(db, id)
  if (found === undefined || found.kind !== 'mcp' || !canManageToken(user, found)) throw tokenNotFound()
  return found
}
