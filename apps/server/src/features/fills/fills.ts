import { FILLS_MAX, type FindFillsRequest, type FoundFills, fillsApi, type User } from '@catenary/contracts'
import type { SqlContext } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { listHeldNames } from './held-names.sql.ts'

export { forgetName, forgetRecord, listAcceptedFills } from './fills.sql.ts'
export { listAskedFills, listUnfilled, type Reached } from './held-names.sql.ts'
export { askedSendsSlot, destinationsFor, listUnsent, sendsFor, toSends, type UnsentSend } from './sends.ts'

export const serveFills = handlers(fillsApi, {
  'POST /api/private-names': (ctx, { body, user }) => findFills(ctx, { ...body, user }),
})

/** By the texts as they are now; of records that the person does not see, nothing. */
async function findFills(
  { db }: SqlContext,
  { user, ...reach }: FindFillsRequest & { user: User },
): Promise<FoundFills> {
  const held = await listHeldNames(db, { userId: user.id, ...reach })
  const asked = held.filter(({ isOwn }) => !isOwn).slice(0, FILLS_MAX)
  const own = held.filter(({ isOwn }) => isOwn).map(({ name }) => name)
  return { fills: asked.map(({ isOwn: _, ...fill }) => fill), own: [...new Set(own)] }
}
