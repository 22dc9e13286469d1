import { markCutRun } from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type { Context } from '../../platform/context.ts'
import { tellEvent } from './tell.ts'
import { findOptionalToldRun, type ToldRun } from './told-runs.sql.ts'
import { wantedEvents } from './wanted-events.ts'
import { runEndKey, runObject } from './webhook-events.ts'

interface EndedRun {
  key: string
  executionId: number
  status: 'completed' | 'failed' | 'cancelled' | 'deleted'
}

/** As runs name it; renaming it loses the events of runs in progress. */
const SUBSCRIBER = 'webhooks'

export const webhookRunEnds = (ctx: Context) => ({
  subscriber: SUBSCRIBER,
  ofAll: ({ userId, trigger }: { userId: number; trigger: string }): boolean => {
    const { wants } = wantedEvents(ctx)
    const isWanted = wants(userId, 'run.completed') || wants(userId, 'run.failed')
    return isWanted && trigger !== 'evaluation'
  },
  handle: (ended: EndedRun): Promise<void> => tellRunEnd(ctx, ended),
})

/** What was stopped or deleted by hand is not told. */
async function tellRunEnd(ctx: Context, ended: EndedRun): Promise<void> {
  const run = await findOptionalToldRun(ctx.db, ended.executionId)
  if (run === undefined) return
  const { status } = ended
  const isTold = (status === 'completed' || status === 'failed') && run.trigger !== 'evaluation'
  if (!isTold) return
  await tellEvent(ctx, {
    type: `run.${status}`,
    key: runEndKey(ended.key),
    object: runObject(run.id),
    audience: { userId: run.userId },
    data: { run: toRunData(run, ended) },
  })
}

/** A run that was resumed since is told by what does not change. */
function toRunData(run: ToldRun, { key, status }: EndedRun) {
  const { id, kind, trigger, name, promptId, chainId, chainVersion, label, steps } = run
  const isAsItEnded = `${run.id}:${run.attempt}` === key && run.status === status
  const told = { id, kind, trigger, status, name, promptId, chainId, chainVersion, label, steps }
  const startedAt = run.executedAt.toISOString()
  if (!isAsItEnded) return { ...told, startedAt, wasResumed: true }
  return {
    ...told,
    errorCode: run.errorCode,
    ...markCutRun([{ finishReason: run.cutBy }]),
    inputTokens: toNumber(run.inputTokens),
    outputTokens: toNumber(run.outputTokens),
    costUsd: nanosToUsd(toNumber(run.costNanos)),
    startedAt,
    finishedAt: run.finishedAt?.toISOString() ?? null,
  }
}

const toNumber = (sum: string | null): number | null => (sum === null ? null : Number(sum))
