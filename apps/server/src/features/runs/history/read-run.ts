import {
  LIST_BYTES_MAX,
  type RunDetails,
  type RunStep,
  type SeenRun,
  type SeenRunState,
  type User,
} from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { type Context, onePerApp } from '../../../platform/context.ts'
import { readMedia } from '../../files/files.ts'
import { remoteRuns } from '../engine/remote-runs.ts'
import { type FromOutside, findFromOutside } from './outside-names.ts'
import { toRunPresence } from './present-runs.ts'
import { findRunView, listVisible, type MetricsView, type RunView } from './run-access.ts'
import { findShownTexts, listShownSteps, sumStepBytes } from './run-details.sql.ts'
import { toRunDetails, toRunState, toSteps } from './run-views.ts'
import {
  findOptionalRun,
  listExistingPrompts,
  prepareFindRunState,
  type RunRow,
  type RunStateRow,
} from './runs.sql.ts'
import { metricsOf, textsOf } from './shown-runs.ts'
import { withItems } from './step-items.ts'

export interface WantedRun {
  id: number
  user: User
}

const preparedState = onePerApp(({ db }) => prepareFindRunState(db))

export const findRunState = (ctx: Context, id: number): Promise<RunStateRow | undefined> =>
  preparedState(ctx)(id)

export async function findVisibleState(ctx: Context, { id, user }: WantedRun) {
  const state = await findRunState(ctx, id)
  const view = state && (await findRunView(ctx, { user, run: state.run }))
  if (state === undefined || view === undefined) throw runNotFound()
  return { state, view }
}

export function toState(ctx: Context, { state, view }: { state: RunStateRow; view: RunView }): SeenRunState {
  return toRunState({ state, view, underWay: remoteRuns(ctx).step(state.run.id) })
}

export async function readRunState(ctx: Context, wanted: WantedRun): Promise<SeenRunState> {
  return toState(ctx, await findVisibleState(ctx, wanted))
}

export async function readRun(ctx: Context, wanted: WantedRun): Promise<SeenRun> {
  const { run, view, user } = await findVisible(ctx, wanted)
  // Nothing more is read, so that the answer takes as long whatever the run has become.
  if (view.access === 'presence') return toRunPresence({ run, view })
  const isClipped = (await sumStepBytes(ctx.db, wanted.id)) > LIST_BYTES_MAX
  return (await show(ctx, { run, view, user, isClipped })).seen
}

/** A run with all its texts, for those who may read them; throws `forbidden` for others who see that it is there. */
export async function readWhole(ctx: Context, wanted: WantedRun) {
  const { run, view, user } = await findVisible(ctx, wanted)
  if (view.access === 'presence' || view.access === 'figures')
    throw new AppError('forbidden', 'You can’t read the texts of this run')
  const { seen, outside } = await show(ctx, { run, view, user, isClipped: false })
  // Others read it as long as it is as it was.
  const now = await findVisible(ctx, wanted)
  if (now.view.access !== view.access || now.run.attempt !== run.attempt || now.run.status !== run.status)
    throw new AppError('conflict', 'This run has just been changed. Try again.')
  return { run, access: view.access, seen, outside }
}

export async function readRunStep(
  ctx: Context,
  { position, ...wanted }: WantedRun & { position: number },
): Promise<RunStep> {
  return (await findStep(ctx, { position, ...wanted })).step
}

/** A step as this person sees it, and how they see its run. */
export async function findStep(
  ctx: Context,
  { position, ...wanted }: WantedRun & { position: number },
): Promise<{ step: RunStep; view: MetricsView }> {
  const { run, view, user } = await findVisible(ctx, wanted)
  const noSuchStep = new AppError('not_found', 'This run has no such step')
  if (view.access === 'presence') throw noSuchStep
  const { seen } = await show(ctx, { run, view, user, isClipped: true, position })
  const step = seen.steps.find((one): one is RunStep => one.position === position)
  if (step === undefined) throw noSuchStep
  return { step, view }
}

export async function readRunFile(ctx: Context, { fileId, ...wanted }: WantedRun & { fileId: number }) {
  const { steps } = await readRun(ctx, wanted)
  const isSent = steps?.some(({ attachments }) => attachments.some((one) => one.fileId === fileId))
  const found = isSent ? await readMedia(ctx, fileId) : undefined
  if (found === undefined) throw new AppError('not_found', 'This run has no such file')
  return found
}

async function findVisible(ctx: Context, { id, user }: WantedRun) {
  const run = await findOptionalRun(ctx.db, id)
  const view = run && (await findRunView(ctx, { user, run }))
  if (run === undefined || view === undefined) throw runNotFound()
  return { run, user, view }
}

interface VisibleRun {
  run: RunRow
  user: User
  view: MetricsView
  isClipped: boolean
  position?: number
}

async function show(
  ctx: Context,
  { run, user, view, position, isClipped }: VisibleRun,
): Promise<{ seen: RunDetails; outside: FromOutside }> {
  const { db } = ctx
  const { id } = run
  const rows = await listShownSteps(db, { executionId: id, isClipped })
  const [asked] =
    position === undefined ? [] : await listShownSteps(db, { executionId: id, isClipped: false, position })
  const shown = rows.map((row) =>
    row.position === asked?.position ? { ...asked, isClipped: false } : { ...row, isClipped },
  )
  const texts = await findShownTexts(db, id)
  if (texts === undefined) throw runNotFound()
  const steps = toSteps({ run, rows: shown, plan: texts.plan })
  const ids = steps.flatMap(({ promptId }) => promptId ?? [])
  const existing = await listExistingPrompts(db, ids)
  const underWay = remoteRuns(ctx).step(id)
  const outside = findFromOutside({ run, rows, plan: texts.plan })
  const whole = toRunDetails({ run, view, texts, steps, prompts: existing, outside, underWay })
  const shownRun = await shownTo(ctx, { whole, view, user, ids })
  const areListed = position !== undefined || !isClipped
  const plan = texts.plan ?? []
  const seen = await withItems(ctx, { run: shownRun, rows, plan, access: view.access, areListed })
  return { seen, outside }
}

async function shownTo(
  ctx: Context,
  { whole, view, user, ids }: Pick<VisibleRun, 'view' | 'user'> & { whole: RunDetails; ids: number[] },
): Promise<RunDetails> {
  if (view.access === 'own') return whole
  if (view.access === 'figures') return metricsOf(whole)
  return textsOf({ run: whole, prompts: await listVisible(ctx, { ids, user }) })
}

export function runNotFound(): AppError {
  return new AppError('not_found', 'Execution not found')
}
