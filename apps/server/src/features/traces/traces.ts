import type { Context } from '../../platform/context.ts'
import { readVersion } from '../../version.ts'
import { onRunEnded, type RunEnded } from '../runs/runs.ts'
import { TraceRefusedError, traceCollector } from './collector.ts'
import { toTraceRequest } from './run-spans.ts'
import { findOptionalEndedRun, noteToldSteps } from './traces.sql.ts'

/** As runs name it; renaming it loses the traces of runs in progress. */
const SUBSCRIBER = 'traces'

/** Traces of ended runs, made of their rows, for the operator's own collector (ADR 039). Without one nothing is done. */
export function sendTraces(ctx: Context): void {
  if (ctx.settings.traces === undefined) return
  const handle = (ended: RunEnded, signal: AbortSignal) => sendTrace(ctx, { ...ended, signal })
  onRunEnded(ctx, { subscriber: SUBSCRIBER, ofAll: () => true, handle })
}

/** Sends the run as it is stored now; throws to be tried again. One that is gone, or goes on, is not sent. */
async function sendTrace(
  ctx: Context,
  { key, executionId: id, reference, signal }: RunEnded & { signal: AbortSignal },
): Promise<void> {
  const { db, log, settings } = ctx
  const attempt = Number(key.split(':').at(-1))
  const run = await findOptionalEndedRun(db, { id, attempt, fromStep: Number(reference) })
  if (run === undefined) return
  try {
    const sender = { secretKey: settings.secretKey, version: readVersion().version }
    await traceCollector(ctx)?.send(toTraceRequest(run, sender), signal)
  } catch (error) {
    if (!(error instanceof TraceRefusedError)) throw error
    log.error({ err: error, executionId: id }, 'the trace of a run was refused')
  }
  if (run.kind === 'prompt' || run.status === 'completed') return
  // A resume goes on after the steps that completed.
  const count = run.steps.filter(({ status }) => status === 'completed').length + Number(reference)
  await noteToldSteps(db, { id, attempt, subscriber: SUBSCRIBER, count })
}
