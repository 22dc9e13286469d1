import { CHAIN_INPUT_NAMES, type ListedRunStep, type User } from '@catenary/contracts'
import { AppError, fieldError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { findRunRights } from '../../chains/chains.ts'
import { isMediaKey } from '../engine/attachments.ts'
import type { FromOutside } from '../history/outside-names.ts'
import { readWhole } from '../history/read-run.ts'
import { toView } from '../history/run-access.ts'
import { findRunTexts, listChainRuns, type RunRow } from '../history/runs.sql.ts'

/** How many of a chain's newest runs are searched for one that can be read. */
const RUNS_LOOKED_AT = 20

/** A run that has ended, as far as this person may read it. */
export interface EarlierRun {
  run: RunRow
  isOwn: boolean
  /** In running order. */
  steps: readonly ListedRunStep[]
  userInput: string
  /** With the names of the input, as a run keeps them. */
  variableValues: Record<string, string>
  outside: FromOutside
}

interface WantedRun {
  id: number
  chainId: number
  user: User
  /** Of the field that names it. */
  path: string
}

/** Throws `not_found` and `forbidden` as reading it does, and `conflict` where nothing can be taken from it. */
export async function openEarlier(ctx: Context, { id, chainId, user, path }: WantedRun): Promise<EarlierRun> {
  const { run, access, seen, outside } = await readWhole(ctx, { id, user })
  if (run.chainId !== chainId) throw fieldError(path, 'This is not a run of this chain')
  if (run.status === 'running') throw new AppError('conflict', 'This run is still running')
  const texts = run.textsDeleted ? undefined : await findRunTexts(ctx.db, id)
  if (texts === undefined)
    throw new AppError('conflict', 'The texts of this run are no longer kept. Execute the chain again.')
  const isOwn = access === 'own'
  const { userInput, variableValues } = texts
  const values = isOwn ? variableValues : shownValues({ variableValues, steps: seen.steps })
  return { run, isOwn, steps: seen.steps, userInput, variableValues: values, outside }
}

/** The newest run from which something can be taken, if there is one. */
export async function findNewest(
  ctx: Context,
  { chainId, user }: { chainId: number; user: User },
): Promise<number | undefined> {
  const rights = await findRunRights(ctx, { id: chainId, user })
  const visibilityEpoch = rights.canSeeRuns ? rights.visibilityEpoch : null
  const filter = { chainId, userId: user.id, viewerId: user.id, visibilityEpoch }
  const rows = await listChainRuns(ctx.db, { ...filter, before: undefined, limit: RUNS_LOOKED_AT })
  const found = rows.find(({ page }) => {
    const access = toView({ user, run: page, rights })?.access
    const isReadable = access === 'own' || access === 'texts'
    return isReadable && page.status !== 'running' && !page.textsDeleted
  })
  return found?.page.id
}

/** Of another person's values those that a step shows; a file of theirs is no value of anybody else. */
function shownValues({
  steps,
  variableValues,
}: Pick<EarlierRun, 'steps' | 'variableValues'>): Record<string, string> {
  const typed = steps.flatMap(({ inputContent, resolved }) =>
    inputContent === null ? [] : Object.keys(resolved).filter((name) => resolved[name]?.type === 'typed'),
  )
  const shown = new Set([...CHAIN_INPUT_NAMES, ...typed])
  return Object.fromEntries(
    Object.entries(variableValues).filter(([name, value]) => shown.has(name) && !isMediaKey(value)),
  )
}
