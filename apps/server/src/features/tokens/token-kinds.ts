import {
  abilitiesOf,
  type createBestTokenRequest,
  type createFolderTokenRequest,
  type createMcpTokenRequest,
  type createReadTokenRequest,
  reachOf,
  scopesOf,
  type TokenAbility,
  type TokenReach,
  type TokenScope,
  type updateBestTokenRequest,
  type updateFolderTokenRequest,
  type updateMcpTokenRequest,
  type updateReadTokenRequest,
} from '@catenary/contracts'
import type * as z from 'zod'
import { AppError } from '../../errors.ts'

/** What a request asks for: what is absent stays as it is. */
export interface ScopeChange {
  reach?: Partial<TokenReach>
  /** Each that is switched on or off. */
  abilities?: Partial<Record<TokenAbility, boolean | undefined>>
  /** In place of all that it had. */
  scopes?: readonly TokenScope[]
}

/** The scopes after a change, each once, in one order. */
export function changeScopes(
  before: readonly TokenScope[],
  { reach, abilities = {}, scopes = before }: ScopeChange,
): TokenScope[] {
  const kept = abilitiesOf(scopes).filter((ability) => abilities[ability] !== false)
  const added = (Object.keys(abilities) as TokenAbility[]).filter((ability) => abilities[ability])
  return scopesOf({ ...reachOf(scopes), ...reach }, [...kept, ...added])
}

type New<Schema extends z.ZodType> = z.output<Schema>

/** The scopes of a chain's token. */
export const chainScopes = (chainId: number): TokenScope[] => scopesOf({ chainIds: [chainId] }, ['run'])

/** None named: all that its creator can use. */
export const bestScopes = ({ includedChainIds: chainIds }: New<typeof createBestTokenRequest>) =>
  scopesOf({ chainIds, includesAllChains: chainIds.length === 0 }, ['run'])

/** An emptied selection never widens by itself (D38). */
export function bestChange(
  { includedChainIds: ids, includesAllChains: all }: New<typeof updateBestTokenRequest>,
  scopes: readonly TokenScope[],
): ScopeChange {
  if (all === true && ids !== undefined && ids.length > 0) {
    throw new AppError('invalid', 'Choose chains or all of them, not both')
  }
  if (all === true) return { reach: { includesAllChains: true, chainIds: [] } }
  if (ids === undefined) return {}
  if (ids.length > 0) return { reach: { includesAllChains: false, chainIds: ids } }
  const { includesAllChains, chainIds } = reachOf(scopes)
  const isEmptied = !includesAllChains && chainIds.length === 0
  return isEmptied ? {} : { reach: { includesAllChains: true, chainIds: [] } }
}

export const readScopes = ({ promptIds, mayRun }: New<typeof createReadTokenRequest>) =>
  scopesOf({ promptIds }, mayRun ? ['read', 'resolve', 'run'] : ['read', 'resolve'])

export const readChange = ({ promptIds, mayRun }: New<typeof updateReadTokenRequest>): ScopeChange => ({
  ...(promptIds && { reach: { promptIds } }),
  abilities: { run: mayRun },
})

export const agentScopes = ({
  allPrompts,
  promptIds,
  allChains,
  chainIds,
}: New<typeof createMcpTokenRequest>) =>
  scopesOf({ includesAllPrompts: allPrompts, promptIds, includesAllChains: allChains, chainIds }, ['agent'])

/** What it reaches is replaced by what is named; to leave it away, or to empty it, never widens it (D38). */
export function agentChange({
  allPrompts,
  promptIds,
  allChains,
  chainIds,
}: New<typeof updateMcpTokenRequest>): ScopeChange {
  const namesPrompts = allPrompts !== undefined || promptIds !== undefined
  const namesChains = allChains !== undefined || chainIds !== undefined
  return {
    reach: {
      ...(namesPrompts && { includesAllPrompts: allPrompts === true, promptIds: promptIds ?? [] }),
      ...(namesChains && { includesAllChains: allChains === true, chainIds: chainIds ?? [] }),
    },
  }
}

export const folderScopes = ({ mayWrite, mayEvaluate }: New<typeof createFolderTokenRequest>) =>
  changeScopes(['folder.read'], folderChange({ mayWrite, mayEvaluate }))

export const folderChange = ({
  mayWrite,
  mayEvaluate,
}: New<typeof updateFolderTokenRequest>): ScopeChange => ({
  abilities: { 'folder.write': mayWrite, evaluate: mayEvaluate },
})
