import {
  type ChainHistoryQuery,
  COUNT_MAX,
  type ListedPromptRun,
  MAX_ID,
  type PageQuery,
  type PromptHistoryQuery,
  type PromptRun,
  type RunAccessLevel,
  type SeenChainRun,
  type SeenLatestRun,
  type TokenRun,
  type User,
} from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import {
  countUpTo,
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../../platform/list-page.ts'
import { findRunRights, requireVisibleChain } from '../../chains/chains.ts'
import { readPrompt } from '../../prompts/prompts.ts'
import { listLatestRuns } from './latest-runs.sql.ts'
import { toLatestPresence } from './present-runs.ts'
import { countPromptRuns, findOptionalPromptRun, listPromptRuns } from './prompt-history.sql.ts'
import { toListedPromptRun, toPromptRun } from './prompt-run-views.ts'
import { runNotFound, type WantedRun } from './read-run.ts'
import {
  type ChainRun,
  FULL_ACCESS,
  METRICS_ONLY,
  type MetricsView,
  PRESENCE_ONLY,
  toPromptView,
  toView,
} from './run-access.ts'
import { toChainRunSummary, toSeenChainRun } from './run-views.ts'
import { promptRunsVisibleTo, type SharedRun } from './runs.policy.ts'
import { type ChainHistoryFilter, type ChainRunRow, countChainRuns, listChainRuns } from './runs.sql.ts'
import { showPromptRun } from './shown-runs.ts'

const RUN_CURSOR = defineCursor({ list: 'runs', position: cursorPosition.id })

export async function listRunsOfChain(
  ctx: Context,
  { chainId, user, query }: ListRequest<{ chainId: number; user: User }, ChainHistoryQuery>,
): Promise<ListPage<SeenChainRun>> {
  const { trigger, rated, ...page } = query
  await requireVisibleChain(ctx, { id: chainId, user })
  const rights = await findRunRights(ctx, { id: chainId, user })
  const visibilityEpoch = rights.canSeeRuns ? rights.visibilityEpoch : null
  return listRunPage(ctx, {
    query: page,
    filter: { chainId, trigger, ...ownRuns(user), rated, visibilityEpoch },
    toItem: (row) => toSeenChainRun({ row, view: toView({ user, run: row.page, rights }) ?? PRESENCE_ONLY }),
  })
}

export async function listLatestChainRuns(ctx: Context, { user }: { user: User }): Promise<SeenLatestRun[]> {
  const rows = await listLatestRuns(ctx.db, { userId: user.id })
  return rows.map(({ isOpenTo, executedAt, finishedAt, waitingFor, ...row }) =>
    isOpenTo
      ? {
          ...row,
          executedAt: executedAt.toISOString(),
          finishedAt: finishedAt?.toISOString() ?? null,
          ...(waitingFor && { waitingFor }),
        }
      : toLatestPresence({ ...row, executedAt }),
  )
}

export function listRunsOfToken(
  ctx: Context,
  { tokenId, user, query }: ListRequest<{ tokenId: number; user: User }, PageQuery>,
): Promise<ListPage<TokenRun>> {
  const viewOf = (run: ChainRun) => (run.userId === user.id ? FULL_ACCESS : METRICS_ONLY)
  return listRunPage(ctx, {
    query,
    filter: { apiTokenId: tokenId, ...ownRuns(user) },
    toItem: (row) => toTokenRun({ row, view: viewOf(row.page) }),
  })
}

/** Runs of a prompt, newest first: one's own; for an admin everyone's (D20). Throws `invalid` for a foreign cursor. */
export async function listRunsOfPrompt(
  ctx: Context,
  { promptId, user, query }: ListRequest<{ promptId: number; user: User }, PromptHistoryQuery>,
): Promise<ListPage<ListedPromptRun>> {
  const { before, limit, isFirst } = readPart(query)
  await readPrompt(ctx, { id: promptId, user })
  const filter = { promptId, ...ownRuns(user), rated: query.rated }
  return toPage({
    rows: await listPromptRuns(ctx.db, { ...filter, before, limit: limit + 1 }),
    limit,
    total: isFirst ? countUpTo(COUNT_MAX, await countPromptRuns(ctx.db, filter)) : undefined,
    toItem: (row) => showPromptRun(toListedPromptRun(row, levelOf(row, user))),
    cursorOf: ({ id }) => RUN_CURSOR.write(id),
  })
}

export async function readRunOfPrompt(
  ctx: Context,
  { promptId, id, user }: WantedRun & { promptId: number },
): Promise<PromptRun> {
  await readPrompt(ctx, { id: promptId, user })
  const run = await findOptionalPromptRun(ctx.db, { promptId, id, ...ownRuns(user) })
  if (run === undefined) throw runNotFound()
  return showPromptRun(toPromptRun(run, levelOf(run, user)))
}

function levelOf(run: SharedRun, user: User): RunAccessLevel {
  return toPromptView({ user, run, canView: true })?.access ?? 'figures'
}

function ownRuns(user: User) {
  return { userId: promptRunsVisibleTo(user), viewerId: user.id }
}

function readPart({ before, cursor, limit }: PageQuery) {
  const after = RUN_CURSOR.read(cursor)
  return { before: Math.min(after ?? MAX_ID, before ?? MAX_ID), limit, isFirst: after === undefined }
}

async function listRunPage<Item>(
  { db }: Context,
  {
    query,
    filter,
    toItem,
  }: { query: PageQuery; filter: ChainHistoryFilter; toItem: (row: ChainRunRow) => Item },
): Promise<ListPage<Item>> {
  const { before, limit, isFirst } = readPart(query)
  return toPage({
    rows: await listChainRuns(db, { ...filter, before, limit: limit + 1 }),
    limit,
    total: isFirst ? countUpTo(COUNT_MAX, await countChainRuns(db, filter)) : undefined,
    toItem,
    cursorOf: ({ page }) => RUN_CURSOR.write(page.id),
  })
}

function toTokenRun(listed: { row: ChainRunRow; view: MetricsView }): TokenRun {
  const { page, of_steps: ofSteps } = listed.row
  const title = listed.view.access === 'own' ? ofSteps.title : null
  const { chainId, promptId, chainName } = page
  return { ...toChainRunSummary(listed), chainId, promptId, chainName: chainName ?? title ?? '' }
}
