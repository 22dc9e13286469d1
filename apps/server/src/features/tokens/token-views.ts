import type {
  BestToken,
  ChainToken,
  FolderToken,
  McpToken,
  ReadToken,
  TokenType,
  User,
} from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import { AppError } from '../../errors.ts'
import type { Context, SqlContext } from '../../platform/context.ts'
import { listUnfilledOf } from './token-fills.ts'
import { listReached } from './token-reach.sql.ts'
import { readUses, type TokenMetrics } from './token-uses.ts'
import { canDeleteToken, canManageToken } from './tokens.policy.ts'
import {
  type ListedToken,
  listLastSelections,
  listTokenChains,
  listTokenPrompts,
  listTokens,
} from './tokens.sql.ts'

export interface TokenOfKind {
  chain: ChainToken
  best: BestToken
  read: ReadToken
  mcp: McpToken
  folder: FolderToken
}

interface Shown<Kind extends TokenType> {
  kind: Kind
  rows: ListedToken[]
  user: User
  /** The person may edit the chain that the tokens are for. */
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
  const ownFieldsOf = await OWN_FIELDS[kind](ctx, { tokenIds, userId: user.id })
  const own = rows.filter((row) => canManageToken(user, row))
  const reachOf = await listReached(
    ctx.db,
    own.map(({ id }) => id),
  )
  const unfilled = await listUnfilledOf(ctx, {
    userId: user.id,
    tokens: own.map((row) => ({ ...row, ...reachOf(row.id) })),
  })
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

/** One that its creator has just written. */
export async function showToken<Kind extends TokenType>(
  ctx: Context,
  { id, user, kind }: { id: number; user: User; kind: Kind },
): Promise<TokenOfKind[Kind]> {
  const [shown] = await toTokens(ctx, {
    kind,
    rows: await listTokens(ctx.db, { id }),
    user,
    editsChain: false,
  })
  if (shown === undefined) throw new AppError('not_found', 'Token not found')
  return shown
}

type SharedKey = keyof ChainToken & keyof ReadToken
type SharedFields = Omit<Pick<TokenOfKind[TokenType], SharedKey>, keyof TokenMetrics>
type ReadOwnFields<Kind extends TokenType> = (
  ctx: SqlContext,
  of: { tokenIds: number[]; userId: number },
) => Promise<(row: ListedToken) => Omit<TokenOfKind[Kind], SharedKey>>

/** What the tokens of a kind have beside the rest, read for all of them at once. */
const OWN_FIELDS: { [Kind in TokenType]: ReadOwnFields<Kind> } = {
  chain: async () => (row) => ({
    chainId: row.chainId ?? 0,
    chainLabel: row.chainLabel,
    answersHelperJobs: row.answersHelperJobs,
    showsProgress: row.showsProgress,
  }),

  async best({ db }, { tokenIds, userId }) {
    const included = await listTokenChains(db, { tokenIds, userId })
    const selections = await listLastSelections(db, tokenIds)
    return (row) => {
      const chains = included.filter(({ tokenId }) => tokenId === row.id)
      return {
        answersHelperJobs: row.answersHelperJobs,
        showsProgress: row.showsProgress,
        includesAllChains: row.includesAllChains,
        includedChainIds: chains.map(({ id }) => id),
        includedChains: chains.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }])),
        threshold: row.threshold,
        lastSelection: selections.find(({ tokenId }) => tokenId === row.id) ?? null,
      }
    }
  },

  async read({ db }, { tokenIds, userId }) {
    const fetched = await listTokenPrompts(db, { tokenIds, userId })
    return (row) => ({
      mayRun: row.mayRun,
      prompts: fetched.filter(({ tokenId }) => tokenId === row.id).map(({ id, title }) => ({ id, title })),
    })
  },

  async mcp({ db }, { tokenIds, userId }) {
    const prompts = await listTokenPrompts(db, { tokenIds, userId })
    const chains = await listTokenChains(db, { tokenIds, userId })
    return (row) => ({
      allPrompts: row.includesAllPrompts,
      prompts: prompts.filter(({ tokenId }) => tokenId === row.id).map(({ id, title }) => ({ id, title })),
      allChains: row.includesAllChains,
      chains: chains
        .filter(({ tokenId }) => tokenId === row.id)
        .flatMap(({ id, name }) => (name === null ? [] : [{ id, name }])),
      labels: row.labels,
    })
  },
  folder: async () => (row) => ({ mayWrite: row.mayWrite, mayEvaluate: row.mayRun }),
}
