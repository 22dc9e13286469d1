import { type Context, onePerApp } from '../../../platform/context.ts'
import { runSignals } from './channels/run-signals.ts'
import { prepareReserveRunIds } from './run-ids.sql.ts'
import { batchWrites } from './write-batches.ts'

/** Writes wait for each other in the single session of an embedded database; on a server they need not. */
const WRITES_TOGETHER = { embedded: 8, server: 1 }
const IDS_TOGETHER = 64

export interface StartingRun {
  userId: number
  trigger: 'manual' | 'schedule' | 'token' | 'evaluation'
}

const reserve = onePerApp((ctx) =>
  batchWrites(prepareReserveRunIds(ctx.db, runSignals(ctx)), { size: IDS_TOGETHER }),
)
const subscribersOfAll = onePerApp(() => new Map<string, (run: StartingRun) => boolean>())

export const reserveRunId = (ctx: Context): Promise<number> => reserve(ctx)(undefined)

/** The id of a run whose row is about to be written; null: its row takes the next one. */
export const nextRunId = async (ctx: Context): Promise<number | null> =>
  runSignals(ctx).alone ? reserveRunId(ctx) : null

export const writesTogether = ({ database }: Context): number => WRITES_TOGETHER[database.kind]

export function notifyOfAll(ctx: Context, subscriber: string, wants: (run: StartingRun) => boolean): void {
  subscribersOfAll(ctx).set(subscriber, wants)
}

export function subscribersOf(
  ctx: Context,
  run: StartingRun,
  own: Record<string, string> = {},
): Record<string, string> | null {
  const ofAll = [...subscribersOfAll(ctx)].flatMap(([name, wants]) => (wants(run) ? [[name, '']] : []))
  const told = Object.fromEntries([...ofAll, ...Object.entries(own)])
  return Object.keys(told).length === 0 ? null : told
}
