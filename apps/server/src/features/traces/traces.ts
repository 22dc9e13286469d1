import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import { readVersion } from '../../version.ts'
import { onRunEnded, type RunEnded } from '../runs/runs.ts'
import { createCollector } from './collector.ts'
import { createTracesService } from './traces.service.ts'

/** As runs name it; renaming it loses the traces of runs in progress. */
const SUBSCRIBER = 'traces'

/** Traces of ended runs, made of their rows, for the operator's own collector (ADR 039). Without one nothing is done. */
export function createTraces(ctx: Context<Database>) {
  const { db, log, serviceClient, settings } = ctx
  const { secretKey, traces } = settings
  if (traces === undefined) return {}
  const collector = createCollector({ serviceClient, ...traces })
  const sender = { secretKey, version: readVersion().version }
  const service = createTracesService({ db, log, collector, sender, subscriber: SUBSCRIBER })
  const handle = (ended: RunEnded, signal: AbortSignal) => service.sendTrace(ended, signal)
  onRunEnded(ctx, { subscriber: SUBSCRIBER, ofAll: () => true, handle })
  return {}
}
