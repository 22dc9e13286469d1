import { COUNT_MAX, MAX_ID, type PageQuery, type TokenRun } from '@catenary/contracts'
import type { Executor } from '../../../db/executor.ts'
import { countUpTo, cursorPosition, defineCursor, type ListPage, toPage } from '../../../list-page.ts'
import type { FiguresView } from './run-access.service.ts'
import { toChainRunSummary } from './run-views.service.ts'
import {
  type ChainHistoryFilter,
  type ChainRunRow,
  countChainRuns,
  listChainRuns,
} from './runs.repository.ts'

export const RUN_CURSOR = defineCursor({ list: 'runs', position: cursorPosition.id })

/** Where a page of runs begins. Throws `invalid` for a foreign cursor. */
export function readPart({ before, cursor, limit }: PageQuery) {
  const after = RUN_CURSOR.read(cursor)
  return { before: Math.min(after ?? MAX_ID, before ?? MAX_ID), limit, isFirst: after === undefined }
}

/** Runs of a chain or through a token, newest first. */
export async function listRunPage<Item>(
  executor: Executor,
  {
    query,
    filter,
    toItem,
  }: { query: PageQuery; filter: ChainHistoryFilter; toItem: (row: ChainRunRow) => Item },
): Promise<ListPage<Item>> {
  const { before, limit, isFirst } = readPart(query)
  return toPage({
    rows: await listChainRuns(executor, { ...filter, before, limit: limit + 1 }),
    limit,
    total: isFirst ? countUpTo(COUNT_MAX, await countChainRuns(executor, filter)) : undefined,
    toItem,
    cursorOf: ({ page }) => RUN_CURSOR.write(page.id),
  })
}

/** A run through a token, of a chain or of a prompt, whose title is its runner's. */
export function toTokenRun(listed: { row: ChainRunRow; view: FiguresView }): TokenRun {
  const { page, of_steps: ofSteps } = listed.row
  const title = listed.view.access === 'own' ? ofSteps.title : null
  const { chainId, promptId, chainName } = page
  return { ...toChainRunSummary(listed), chainId, promptId, chainName: chainName ?? title ?? '' }
}
