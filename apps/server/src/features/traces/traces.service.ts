import type { Database } from '../../db/executor.ts'
import type { Log } from '../../platform/log/log.ts'
import type { RunEnded } from '../runs/runs.ts'
import { type Collector, TraceRefusedError } from './collector.ts'
import { toTraceRequest } from './run-spans.ts'
import { findOptionalEndedRun, noteToldSteps } from './traces.repository.ts'

interface TracesDeps {
  db: Database
  log: Log
  collector: Collector
  sender: Parameters<typeof toTraceRequest>[1]
  subscriber: string
}

export function createTracesService({ db, log, collector, sender, subscriber }: TracesDeps) {
  return {
    /** Sends the run as it is stored now; throws to be tried again. One that is gone, or goes on, is not sent. */
    async sendTrace({ key, executionId: id, reference }: RunEnded, signal: AbortSignal): Promise<void> {
      const attempt = Number(key.split(':').at(-1))
      const run = await findOptionalEndedRun(db, { id, attempt, fromStep: Number(reference) })
      if (run === undefined) return
      try {
        await collector.send(toTraceRequest(run, sender), signal)
      } catch (error) {
        if (!(error instanceof TraceRefusedError)) throw error
        log.error({ err: error, executionId: id }, 'the trace of a run was refused')
      }
      if (run.kind === 'prompt' || run.status === 'completed') return
      // A resume goes on after the steps that completed.
      const count = run.steps.filter(({ status }) => status === 'completed').length + Number(reference)
      await noteToldSteps(db, { id, attempt, subscriber, count })
    },
  }
}
