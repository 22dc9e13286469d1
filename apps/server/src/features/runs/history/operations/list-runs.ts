import {
  type ChainHistoryQuery,
  COUNT_MAX,
  type ListedPromptRun,
  type PageQuery,
  type PromptHistoryQuery,
  type PromptRun,
  type RunAccessLevel,
  type SeenChainRun,
  type SeenLatestRun,
  type TokenRun,
  type User,
} from '@catenary/contracts'
import { countUpTo, type ListPage, type ListRequest, toPage } from '../../../../list-page.ts'
import { listLatestRuns } from '../latest-runs.repository.ts'
import { toLatestPresence } from '../present-runs.service.ts'
import { countPromptRuns, findOptionalPromptRun, listPromptRuns } from '../prompt-history.repository.ts'
import { toListedPromptRun, toPromptRun } from '../prompt-run-views.service.ts'
import {
  type ChainRun,
  FULL_ACCESS,
  METRICS_ONLY,
  PRESENCE_ONLY,
  toPromptView,
  toView,
} from '../run-access.service.ts'
import type { RunHistoryDeps, WantedRun } from '../run-history-deps.ts'
import { listRunPage, RUN_CURSOR, readPart, toTokenRun } from '../run-pages.service.ts'
import { toSeenChainRun } from '../run-views.service.ts'
import { promptRunsVisibleTo, type SharedRun } from '../runs.policy.ts'
import { showPromptRun } from '../shown-runs.service.ts'
import { runNotFound } from './read-run.ts'

/** A chain's runs, newest first: one's own, and others' as far as one sees them. Throws `invalid` for a foreign cursor. */
export async function listRunsOfChain(
  { db, chains }: RunHistoryDeps,
  { chainId, user, query }: ListRequest<{ chainId: number; user: User }, ChainHistoryQuery>,
): Promise<ListPage<SeenChainRun>> {
  const { trigger, rated, ...page } = query
  await chains.requireVisible({ id: chainId, user })
  const rights = await chains.findRunRights({ id: chainId, user })
  const visibilityEpoch = rights.canSeeRuns ? rights.visibilityEpoch : null
  return listRunPage(db, {
    query: page,
    filter: { chainId, trigger, ...ownRuns(user), rated, visibilityEpoch },
    toItem: (row) => toSeenChainRun({ row, view: toView({ user, run: row.page, rights }) ?? PRESENCE_ONLY }),
  })
}

/** For each chain that the person sees, the newest run that they see. */
export async function listLatestChainRuns({ db }: RunHistoryDeps, user: User): Promise<SeenLatestRun[]> {
  const rows = await listLatestRuns(db, { userId: user.id })
  return rows.map(({ isOpenTo, executedAt, finishedAt, ...row }) =>
    isOpenTo
      ? { ...row, executedAt: executedAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null }
      : toLatestPresence({ ...row, executedAt }),
  )
}

/** Runs through a token, newest first: one's own; for an admin the metrics of everyone's. */
export function listRunsOfToken(
  { db }: RunHistoryDeps,
  { tokenId, user, query }: ListRequest<{ tokenId: number; user: User }, PageQuery>,
): Promise<ListPage<TokenRun>> {
  const viewOf = (run: ChainRun) => (run.userId === user.id ? FULL_ACCESS : METRICS_ONLY)
  return listRunPage(db, {
    query,
    filter: { apiTokenId: tokenId, ...ownRuns(user) },
    toItem: (row) => toTokenRun({ row, view: viewOf(row.page) }),
  })
}

/** Runs of a prompt, newest first: one's own; for an admin everyone's (D20). Throws `invalid` for a foreign cursor. */
export async function listRunsOfPrompt(
  { db, prompts }: RunHistoryDeps,
  { promptId, user, query }: ListRequest<{ promptId: number; user: User }, PromptHistoryQuery>,
): Promise<ListPage<ListedPromptRun>> {
  const { before, limit, isFirst } = readPart(query)
  await prompts.find({ id: promptId, user })
  const filter = { promptId, ...ownRuns(user), rated: query.rated }
  return toPage({
    rows: await listPromptRuns(db, { ...filter, before, limit: limit + 1 }),
    limit,
    total: isFirst ? countUpTo(COUNT_MAX, await countPromptRuns(db, filter)) : undefined,
    toItem: (row) => showPromptRun(toListedPromptRun(row, levelOf(row, user))),
    cursorOf: ({ id }) => RUN_CURSOR.write(id),
  })
}

/** One run of a prompt as its history shows it, with its whole texts. */
export async function readRunOfPrompt(
  { db, prompts }: RunHistoryDeps,
  { promptId, id, user }: WantedRun & { promptId: number },
): Promise<PromptRun> {
  await prompts.find({ id: promptId, user })
  const run = await findOptionalPromptRun(db, { promptId, id, ...ownRuns(user) })
  if (run === undefined) throw runNotFound()
  return showPromptRun(toPromptRun(run, levelOf(run, user)))
}

/** The access level to a run of a visible prompt. */
function levelOf(run: SharedRun, user: User): RunAccessLevel {
  return toPromptView({ user, run, canView: true })?.access ?? 'figures'
}

/** Whose runs a history has, and whose ratings of them. */
function ownRuns(user: User) {
  return { userId: promptRunsVisibleTo(user), viewerId: user.id }
}
