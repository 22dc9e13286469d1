import {
  type AskedFill,
  type Fill,
  reachOf,
  type TokenReach,
  type TokenScope,
  type User,
} from '@catenary/contracts'
import type { Context, SqlContext } from '../../platform/context.ts'
import {
  listAcceptedFills,
  listAskedFills,
  listUnfilled,
  listUnsent,
  type Reached,
  type UnsentSend,
} from '../fills/fills.ts'
import { keyOfFill, toFills } from '../records/records.ts'
import type { TokenRow } from './tokens.sql.ts'

interface Allowing extends Pick<TokenReach, 'includesAllPrompts' | 'includesAllChains'> {
  userId: number
  fills: Fill[]
}

/** What the token's person allowed: on the token, and for what it reaches as accepted with the acceptance. */
export function fillsOf(
  { db }: SqlContext,
  { userId, fills, includesAllPrompts, includesAllChains }: Allowing,
): readonly Fill[] | (() => Promise<readonly Fill[]>) {
  if (!includesAllPrompts && !includesAllChains) return fills
  const of = { userId, prompts: includesAllPrompts, chains: includesAllChains }
  return async () => [...fills, ...(await listAcceptedFills(db, of))]
}

interface Scoped {
  userId: number
  scopes: readonly TokenScope[]
}

function toReached({ userId, scopes }: Scoped): Reached {
  const { promptIds, chainIds, includesAllPrompts, includesAllChains } = reachOf(scopes)
  // Evaluations run what the creator owns.
  const evaluates = scopes.includes('evaluate')
  return {
    userId,
    promptIds,
    chainIds,
    allChains: includesAllChains || evaluates,
    allPrompts: includesAllPrompts || evaluates,
  }
}

/** What a new token may fill in: what was chosen, else what the texts hold now (D69). */
export async function fillsOfNew(
  { db }: SqlContext,
  { fills, ...token }: Scoped & { fills: readonly Fill[] | undefined },
): Promise<Fill[]> {
  return toFills(fills ?? (await listAskedFills(db, toReached(token))))
}

/** What it may fill in after a change of what it is for: what was chosen, else as before, and what comes with new records. */
export async function fillsAfter(
  { db }: SqlContext,
  {
    fills,
    scopes,
    token,
  }: { fills: readonly Fill[] | undefined; scopes: readonly TokenScope[]; token: TokenRow },
): Promise<Fill[]> {
  if (fills !== undefined) return toFills(fills)
  if (`${scopes}` === `${token.scopes}`) return token.fills
  const userId = token.createdBy
  const had = new Set((await listAskedFills(db, toReached({ userId, scopes: token.scopes }))).map(keyOfFill))
  const has = await listAskedFills(db, toReached({ userId, scopes }))
  return toFills([...token.fills, ...has.filter((one) => !had.has(keyOfFill(one)))])
}

/** Where chains would take private values by now that a token of the person's own does not let go there, for each token. */
export function listUnsentOf(
  ctx: Context,
  { user, tokens }: { user: User; tokens: Pick<TokenRow, 'scopes' | 'sends' | 'chainLabel'>[] },
): Promise<UnsentSend[][]> {
  return listUnsent(ctx, {
    user,
    of: tokens.map(({ scopes, sends, chainLabel: label }) => {
      const runs = scopes.includes('run') || scopes.includes('agent') || scopes.includes('hook')
      const { chainIds, includesAllChains: allChains } = reachOf(runs ? scopes : [])
      return { chainIds, allChains, label, sends }
    }),
  })
}

/** What texts ask for by now that a token of the person's own does not fill in, for each token. */
export function listUnfilledOf(
  { db }: SqlContext,
  { userId, tokens }: { userId: number; tokens: Pick<TokenRow, 'scopes' | 'fills'>[] },
): Promise<AskedFill[][]> {
  return listUnfilled(db, {
    userId,
    of: tokens.map(({ fills, scopes }) => ({ ...toReached({ userId, scopes }), fills })),
  })
}
