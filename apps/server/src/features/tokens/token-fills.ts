import type { AskedFill, Fill, TokenType } from '@catenary/contracts'
import { keyOfFill, toFills } from '../../consent.ts'
import type { SqlContext } from '../../platform/context.ts'
import { listAcceptedFills, listAskedFills, listUnfilled, type Reached } from '../fills/fills.ts'
import type { StoredGrant, TokenRow } from './tokens.sql.ts'

type Allowing = Pick<StoredGrant, 'userId' | 'fills' | 'includesAllPrompts' | 'includesAllChains'>

/** What the token's person allowed: on the token, and for what it reaches as accepted with the acceptance. */
export function fillsOf(
  { db }: SqlContext,
  { userId, fills, includesAllPrompts, includesAllChains }: Allowing,
): readonly Fill[] | (() => Promise<readonly Fill[]>) {
  if (!includesAllPrompts && !includesAllChains) return fills
  const of = { userId, prompts: includesAllPrompts, chains: includesAllChains }
  return async () => [...fills, ...(await listAcceptedFills(db, of))]
}

/** What a token is for. */
export interface TokenReach {
  kind: TokenType
  createdBy: number
  chainId?: number | null | undefined
  chainIds?: readonly number[] | undefined
  promptIds?: readonly number[] | undefined
  includesAllChains?: boolean | undefined
  includesAllPrompts?: boolean | undefined
  mayRun?: boolean | undefined
}

function toReached({ kind, createdBy, chainId, chainIds = [], promptIds = [], ...all }: TokenReach): Reached {
  const { includesAllChains: allChains = false, includesAllPrompts: allPrompts = false, mayRun } = all
  // A folder token that evaluates runs what its creator owns.
  const isOfFolder = kind === 'folder' && mayRun === true
  return {
    userId: createdBy,
    promptIds,
    chainIds: chainId == null ? chainIds : [chainId],
    allChains: allChains || isOfFolder,
    allPrompts: allPrompts || isOfFolder,
  }
}

/** What a new token may fill in: what was chosen, else what the texts hold now (D69). */
export async function fillsOfNew(
  { db }: SqlContext,
  { fills, ...reach }: TokenReach & { fills: readonly Fill[] | undefined },
): Promise<Fill[]> {
  return toFills(fills ?? (await listAskedFills(db, toReached(reach))))
}

/** What it may fill in after a change of what it is for: what was chosen, else as before, and what comes with new records. */
export async function fillsAfter(
  { db }: SqlContext,
  {
    fills,
    token,
    before,
    after,
  }: {
    fills: readonly Fill[] | undefined
    token: TokenRow
    before: Partial<TokenReach>
    after: Partial<TokenReach>
  },
): Promise<Fill[]> {
  if (fills !== undefined) return toFills(fills)
  const had = new Set((await listAskedFills(db, toReached({ ...token, ...before }))).map(keyOfFill))
  const has = await listAskedFills(db, toReached({ ...token, ...before, ...after }))
  return toFills([...token.fills, ...has.filter((one) => !had.has(keyOfFill(one)))])
}

/** What texts ask for by now that a token of the person's own does not fill in, for each token. */
export function listUnfilledOf(
  { db }: SqlContext,
  { userId, tokens }: { userId: number; tokens: (TokenReach & { fills: readonly Fill[] })[] },
): Promise<AskedFill[][]> {
  return listUnfilled(db, {
    userId,
    of: tokens.map(({ fills, ...reach }) => ({ ...toReached(reach), fills })),
  })
}
