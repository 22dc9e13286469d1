import type { Platform } from '../../platform/platform.ts'
import { readVersion } from '../../version.ts'
import type { RunEnded, Runs } from '../runs/runs.ts'
import { createCollector } from './collector.ts'
import { createTracesService } from './traces.service.ts'

/** As runs name it; renaming it loses the traces of runs in progress. */
const SUBSCRIBER = 'traces'

interface Features {
  runs: Pick<Runs, 'onRunEnded'>
}

/** Traces of ended runs, made of their rows, for the operator's own collector (ADR 039). Without one nothing is done. */
export function createTraces(
  { db, log, serviceClient, settings }: Pick<Platform, 'db' | 'log' | 'serviceClient' | 'settings'>,
  { runs }: Features,
) {
  const { secretKey, traces } = settings
  if (traces === undefined) return {}
  const collector = createCollector({ serviceClient, ...traces })
  const sender = { secretKey, version: readVersion().version }
  const service = createTracesService({ db, log, collector, sender, subscriber: SUBSCRIBER })
  const handle = (ended: RunEnded, signal: AbortSignal) => service.sendTrace(ended, signal)
  runs.onRunEnded({ subscriber: SUBSCRIBER, ofAll: () => true, handle })
  return {}
}
