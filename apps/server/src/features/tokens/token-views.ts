import {
  type BestToken,
  type ChainToken,
  type FolderToken,
  type HookToken,
  type McpToken,
  type ReadToken,
  reachOf,
  type ScopedToken,
  type TokenType,
  type User,
} from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type { Context, SqlContext } from '../../platform/context.ts'
import { findOwnToken } from './open-token.ts'
import { listUnfilledOf, listUnsentOf } from './token-fills.ts'
import { readUses, type TokenMetrics } from './token-uses.ts'
import { canDeleteToken, canManageToken } from './tokens.policy.ts'
import { type ListedToken, listChainNames, listLastSelections, listPromptTitles } from './tokens.sql.ts'

export interface TokenOfKind {
  chain: ChainToken
  best: BestToken
  read: ReadToken
  mcp: McpToken
  folder: FolderToken
  /** Shows those of the other kinds too, by their scopes. */
  scoped: ScopedToken
  hook: HookToken
}

interface Shown<Kind extends TokenType> {
  kind: Kind
  rows: ListedToken[]
  user: User
  editsChain: boolean
}

const NO_METRICS: TokenMetrics = {
  lastUsed: null,
  calls: null,
  savedCalls: null,
  inputTokens: null,
  outputTokens: null,
  costUsd: null,
  monthCostUsd: null,
  lastError: null,
}

/** Tokens as the screens show them, never with a value. */
export async function toTokens<Kind extends TokenType>(
  ctx: Context,
  { kind, rows, user, editsChain }: Shown<Kind>,
): Promise<TokenOfKind[Kind][]> {
  const tokenIds = rows.map(({ id }) => id)
  const metricsOf = await readUses(ctx, tokenIds)
  const ownFieldsOf = await OWN_FIELDS[kind](ctx, { rows, userId: user.id })
  const own = rows.filter((row) => canManageToken(user, row))
  const unfilled = await listUnfilledOf(ctx, { userId: user.id, tokens: own })
  const unsent = await listUnsentOf(ctx, { user, tokens: own })
  return rows.map((row) => {
    const isManaged = canManageToken(user, row)
    const shared: SharedFields = {
      id: row.id,
      tokenType: row.kind,
      name: row.name,
      token: row.prefix,
      createdBy: row.creator,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt?.toISOString() ?? null,
      requestsPerMinute: row.requestsPerMinute,
      callsAtOnce: row.callsAtOnce,
      monthlyBudgetUsd: nanosToUsd(row.monthlyBudgetNanos),
      previousUntil: row.previousUntil?.toISOString() ?? null,
      fills: isManaged ? row.fills : [],
      asksToFill: unfilled[own.indexOf(row)] ?? [],
      sends: isManaged ? row.sends : [],
      asksToSend: unsent[own.indexOf(row)] ?? [],
      canReveal: isManaged && row.encryptedValue !== null,
      canEdit: isManaged,
      canDelete: canDeleteToken(user, row, { editsChain }),
    }
    const { lastClient: _client, ...metrics } = metricsOf(row.id)
    // Calls run with the creator's private values: their number, figures and failures are the creator's (D68).
    const isSeen = isManaged || user.role === 'admin'
    return { ...shared, ...(isSeen ? metrics : NO_METRICS), ...ownFieldsOf(row) } as TokenOfKind[Kind]
  })
}

/** One of the person's own, as a kind shows it: `scoped` any, by its scopes. Throws `not_found` for another's. */
export async function showToken<Kind extends TokenType>(
  ctx: Context,
  { id, user, kind }: { id: number; user: User; kind: Kind },
): Promise<TokenOfKind[Kind]> {
  const row = await findOwnToken(ctx, { id, user })
  const [shown] = await toTokens(ctx, { kind, rows: [row], user, editsChain: false })
  return shown as TokenOfKind[Kind]
}

type SharedKey = keyof ChainToken & keyof ReadToken
type SharedFields = Omit<Pick<TokenOfKind[TokenType], SharedKey>, keyof TokenMetrics>
type ReadOwnFields<Kind extends TokenType> = (
  ctx: SqlContext,
  of: { rows: ListedToken[]; userId: number },
) => Promise<(row: ListedToken) => Omit<TokenOfKind[Kind], SharedKey>>

/** What the tokens of a kind have beside the rest, read for all of them at once. */
const OWN_FIELDS: { [Kind in TokenType]: ReadOwnFields<Kind> } = {
  chain: async () => (row) => ({
    chainId: row.chainId ?? 0,
    chainLabel: row.chainLabel,
    answersHelperJobs: row.answersHelperJobs,
    showsProgress: row.showsProgress,
  }),

  async best(ctx, { rows, userId }) {
    const namedBy = await readNamed(ctx, { rows, userId })
    const selections = await listLastSelections(
      ctx.db,
      rows.map(({ id }) => id),
    )
    return (row) => {
      const { includesAllChains, chainIds } = reachOf(row.scopes)
      const { chains } = namedBy(row)
      return {
        answersHelperJobs: row.answersHelperJobs,
        showsProgress: row.showsProgress,
        includesAllChains,
        includedChainIds: [...new Set([...chains.map(({ id }) => id), ...chainIds])],
        includedChains: chains,
        threshold: row.threshold,
        lastSelection: selections.find(({ tokenId }) => tokenId === row.id) ?? null,
      }
    }
  },

  async read(ctx, of) {
    const namedBy = await readNamed(ctx, of)
    return (row) => ({ mayRun: row.scopes.includes('run'), prompts: namedBy(row).prompts })
  },

  async mcp(ctx, of) {
    const namedBy = await readNamed(ctx, of)
    return (row) => ({
      allPrompts: row.scopes.includes('prompts'),
      allChains: row.scopes.includes('chains'),
      ...namedBy(row),
      labels: row.labels,
    })
  },

  folder: async () => (row) => ({
    mayWrite: row.scopes.includes('folder.write'),
    mayEvaluate: row.scopes.includes('evaluate'),
  }),

  scoped: readByScopes,
  hook: readByScopes,
}

async function readByScopes(ctx: SqlContext, of: { rows: ListedToken[]; userId: number }) {
  const namedBy = await readNamed(ctx, of)
  return (row: ListedToken) => {
    const { prompts, chains } = namedBy(row)
    return {
      scopes: row.scopes,
      chainId: row.chainId,
      chainLabel: row.chainLabel,
      threshold: row.threshold,
      labels: row.labels,
      namedPrompts: prompts,
      namedChains: chains,
      answersHelperJobs: row.answersHelperJobs,
      showsProgress: row.showsProgress,
      signature: row.signature,
      deliveryHeader: row.deliveryHeader,
    }
  }
}

/** The prompts and chains that tokens name, as far as the person can see them. */
async function readNamed({ db }: SqlContext, { rows, userId }: { rows: ListedToken[]; userId: number }) {
  const all = reachOf(rows.flatMap(({ scopes }) => scopes))
  const prompts = await listPromptTitles(db, { ids: all.promptIds, userId })
  const chains = await listChainNames(db, { ids: all.chainIds, userId })
  return ({ scopes }: ListedToken) => {
    const promptIds = new Set(reachOf(scopes).promptIds)
    const chainIds = new Set(reachOf(scopes).chainIds)
    return {
      prompts: prompts.filter(({ id }) => promptIds.has(id)),
      chains: chains.filter(({ id }) => chainIds.has(id)),
    }
  }
}
