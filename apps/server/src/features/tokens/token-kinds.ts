import {
  abilitiesOf,
  type createBestTokenRequest,
  type createFolderTokenRequest,
  type createMcpTokenRequest,
  type createReadTokenRequest,
  kindOfScopes,
  reachOf,
  SCOPE_TEXTS,
  scopesOf,
  type TokenAbility,
  type TokenReach,
  type TokenScope,
  type TokenType,
  type updateBestTokenRequest,
  type updateFolderTokenRequest,
  type updateMcpTokenRequest,
  type updateReadTokenRequest,
} from '@catenary/contracts'
import type * as z from 'zod'
import { AppError } from '../../errors.ts'
import { isOfOneChain } from './tokens.policy.ts'

/** What a request asks for: what is absent stays as it is. */
export interface ScopeChange {
  reach?: Partial<TokenReach>
  /** Each that is switched on or off. */
  abilities?: Partial<Record<TokenAbility, boolean | undefined>>
  /** In place of all that it had. */
  scopes?: readonly TokenScope[]
}

/** Each once, in one order. */
export function changeScopes(
  before: readonly TokenScope[],
  { reach, abilities = {}, scopes = before }: ScopeChange = {},
): TokenScope[] {
  const kept = abilitiesOf(scopes).filter((ability) => abilities[ability] !== false)
  const added = (Object.keys(abilities) as TokenAbility[]).filter((ability) => abilities[ability])
  return scopesOf({ ...reachOf(scopes), ...reach }, [...kept, ...added])
}

interface Requests {
  best: { created: typeof createBestTokenRequest; changed: typeof updateBestTokenRequest }
  read: { created: typeof createReadTokenRequest; changed: typeof updateReadTokenRequest }
  mcp: { created: typeof createMcpTokenRequest; changed: typeof updateMcpTokenRequest }
  folder: { created: typeof createFolderTokenRequest; changed: typeof updateFolderTokenRequest }
}
export type ListedKind = keyof Requests
export type CreatedOf<Kind extends ListedKind> = z.output<Requests[Kind]['created']>
export type ChangedOf<Kind extends ListedKind> = z.output<Requests[Kind]['changed']>

export interface KindScopes<Kind extends ListedKind> {
  /** Of a new token. */
  scopesOf: (asked: CreatedOf<Kind>) => TokenScope[]
  changeOf: (asked: ChangedOf<Kind>, before: readonly TokenScope[]) => ScopeChange
}

export const KINDS: { [Kind in ListedKind]: KindScopes<Kind> } = {
  best: {
    // None named: all that its creator can use.
    scopesOf: ({ includedChainIds: chainIds }) =>
      scopesOf({ chainIds, includesAllChains: chainIds.length === 0 }, ['run']),
    changeOf: changeChains,
  },
  read: {
    scopesOf: ({ promptIds, mayRun }) =>
      scopesOf({ promptIds }, mayRun ? ['read', 'resolve', 'run'] : ['read', 'resolve']),
    changeOf: ({ promptIds, mayRun }) => ({
      ...(promptIds && { reach: { promptIds } }),
      abilities: { run: mayRun },
    }),
  },
  mcp: {
    scopesOf: ({ allPrompts, promptIds, allChains, chainIds }) =>
      scopesOf({ includesAllPrompts: allPrompts, promptIds, includesAllChains: allChains, chainIds }, [
        'agent',
      ]),
    // What it reaches is replaced by what is named; to leave it away, or to empty it, never widens it (D38).
    changeOf: ({ allPrompts, promptIds, allChains, chainIds }) => ({
      reach: {
        ...((allPrompts ?? promptIds) !== undefined && {
          includesAllPrompts: allPrompts === true,
          promptIds: promptIds ?? [],
        }),
        ...((allChains ?? chainIds) !== undefined && {
          includesAllChains: allChains === true,
          chainIds: chainIds ?? [],
        }),
      },
    }),
  },
  folder: {
    scopesOf: ({ mayWrite, mayEvaluate }) =>
      changeScopes(['folder.read'], { abilities: { 'folder.write': mayWrite, evaluate: mayEvaluate } }),
    changeOf: ({ mayWrite, mayEvaluate }) => ({
      abilities: { 'folder.write': mayWrite, evaluate: mayEvaluate },
    }),
  },
}

/** An emptied selection never widens by itself (D38). */
function changeChains(
  { includedChainIds: ids, includesAllChains: all }: ChangedOf<'best'>,
  before: readonly TokenScope[],
): ScopeChange {
  if (all === true && ids !== undefined && ids.length > 0) {
    throw new AppError('invalid', 'Choose either specific chains or all of them')
  }
  const { includesAllChains, chainIds } = reachOf(before)
  const isEmptied = !includesAllChains && chainIds.length === 0
  if (all === true || (ids?.length === 0 && !isEmptied)) {
    return { reach: { includesAllChains: true, chainIds: [] } }
  }
  return ids === undefined || ids.length === 0 ? {} : { reach: { includesAllChains: false, chainIds: ids } }
}

/** Throws `invalid` for scopes that a token of the kind can't have. */
export function replaceScopes(
  { kind, scopes: before }: { kind: TokenType; scopes: readonly TokenScope[] },
  after: TokenScope[],
): ScopeChange {
  const wanted = kindOfScopes(after)
  const isSame = `${changeScopes(after)}` === `${changeScopes(before)}`
  const fits =
    kind === 'scoped' || (kind === 'best' ? wanted === 'best' || wanted === 'chain' : wanted === kind)
  if (!isSame && (isOfOneChain(kind) || !fits)) throw new AppError('invalid', SCOPE_TEXTS.otherKind)
  return { scopes: after }
}
