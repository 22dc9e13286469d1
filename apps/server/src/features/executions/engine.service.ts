import type { ModelAlias } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { Log } from '../../platform/log/log.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import type { ModelEvent, ModelResult } from '../../platform/models/model-types.ts'
import type { Models } from '../../platform/models/models.ts'
import {
  extendLeases,
  type FinishedRun,
  finishPromptRun,
  listAbandonedPromptRuns,
  type NewPromptRun,
  prepareCreatePromptRun,
} from './executions.repository.ts'
import { LiveText } from './live-text.ts'

/** How long a run counts as alive without a sign from its process. */
const LEASE_MS = 30_000
const LEASE_TICK_MS = 10_000

export interface RunFailure {
  status: 'failed' | 'cancelled'
  /** For a person. */
  message: string
  code: string
}

const STOPPED_BY_PERSON: RunFailure = {
  status: 'cancelled',
  message: 'Stopped before the answer was complete',
  code: 'cancelled',
}
const STOPPED_BY_SERVER: RunFailure = {
  status: 'failed',
  message: 'The server stopped before the answer was complete. Run it again.',
  code: 'server_stopped',
}

export type RunOutcome = { status: 'completed'; result: ModelResult } | RunFailure

/** A run under way in this process; it goes on whether or not someone watches. */
export interface LiveRun {
  executionId: number
  text: LiveText
  /** Settles after what it says has been stored; never rejects. */
  outcome: Promise<RunOutcome>
}

export interface PromptRunPlan {
  record: Omit<NewPromptRun, 'leaseUntil'>
  call: { alias: ModelAlias; system?: string; prompt: string }
  /** Aborted when the person stops the run. */
  signal?: AbortSignal | undefined
}

export type Engine = ReturnType<typeof createEngine>

/** The one way in which Catenary runs models for people, and keeps what they answer. */
export function createEngine({ db, models, log }: { db: Database; models: Models; log: Log }) {
  const live = new Map<number, { cancel: AbortController; run: LiveRun }>()
  const tick = setInterval(() => void keepLeases().catch(logLeases), LEASE_TICK_MS).unref()
  const logLeases = (error: unknown): void => log.warn({ err: error }, 'leases could not be kept')

  async function keepLeases(): Promise<void> {
    if (live.size > 0)
      await extendLeases(db, { ids: [...live.keys()], until: new Date(Date.now() + LEASE_MS) })
    for (const executionId of await listAbandonedPromptRuns(db, new Date())) {
      await store({ executionId, aiResponse: '', durationMs: 0, ...asRow(STOPPED_BY_SERVER) })
    }
  }

  const createPromptRun = prepareCreatePromptRun(db)
  const store = (run: FinishedRun): Promise<void> => finishPromptRun(db, run)

  async function follow({ executionId, text, events, startedAt, signal }: Following): Promise<RunOutcome> {
    const ending = () => ({ executionId, aiResponse: text.value, durationMs: Date.now() - startedAt })
    try {
      const result = await collect({ events, text })
      await store({ ...ending(), ...toRow(result), status: 'completed' })
      return { status: 'completed', result }
    } catch (error) {
      const failure = toFailure({ error, signal })
      if (failure.code === 'internal') log.error({ err: error, executionId }, 'run failed')
      await store({ ...ending(), ...asRow(failure) }).catch((cause: unknown) => {
        log.error({ err: cause, executionId }, 'the end of a run could not be stored')
      })
      return failure
    }
  }

  return {
    /** Ends the runs that a dead process left behind; from then on the clock does it. */
    recover: keepLeases,

    /** Starts a run of one step; resolves once it is recorded. */
    async startPrompt({ record, call, signal }: PromptRunPlan): Promise<LiveRun> {
      const cancel = new AbortController()
      const startedAt = Date.now()
      const signals = signal === undefined ? cancel.signal : AbortSignal.any([cancel.signal, signal])
      const events = primed(models.stream({ ...call, signal: signals }))
      const leaseUntil = new Date(startedAt + LEASE_MS)
      const executionId = await createPromptRun({ ...record, leaseUntil }).catch((error: unknown) => {
        cancel.abort()
        throw error
      })
      const text = new LiveText()
      const outcome = follow({ executionId, text, events, startedAt, signal: signals }).finally(() => {
        live.delete(executionId)
        text.end()
      })
      const run = { executionId, text, outcome }
      live.set(executionId, { cancel, run })
      return run
    },

    /** Stops runs that go on in this process; others are left alone. */
    cancel(executionIds: number[]): void {
      for (const id of executionIds) live.get(id)?.cancel.abort()
    },

    /** Ends all runs and waits until that is stored. */
    async close(): Promise<void> {
      clearInterval(tick)
      const runs = [...live.values()]
      for (const { cancel } of runs) cancel.abort(new StoppedByServer())
      await Promise.all(runs.map(({ run }) => run.outcome))
    },
  }
}

class StoppedByServer extends Error {}

interface Following {
  executionId: number
  text: LiveText
  events: AsyncIterable<ModelEvent>
  startedAt: number
  signal: AbortSignal
}

/** Calls the model now, so that the first token does not wait for the write of the run's row. */
function primed(events: AsyncGenerator<ModelEvent, void>): AsyncIterable<ModelEvent> {
  const first = events.next()
  first.catch(() => undefined)
  return {
    async *[Symbol.asyncIterator]() {
      const { done, value } = await first
      if (done !== true) yield value
      yield* events
    },
  }
}

async function collect({ events, text }: Pick<Following, 'events' | 'text'>): Promise<ModelResult> {
  for await (const event of events) {
    if (event.type === 'delta') text.append(event.text)
    else return event
  }
  throw new Error('a model call ends with done or throws')
}

function toRow({ firstTokenMs, durationMs, ...result }: ModelResult) {
  const { provider, modelId, retries, inputTokens, outputTokens, costNanos } = result
  const times = { firstTokenMs: Math.round(firstTokenMs), durationMs: Math.round(durationMs) }
  return { provider, modelId, retries, inputTokens, outputTokens, costNanos, ...times }
}

function asRow({ status, message, code }: RunFailure): Pick<FinishedRun, 'status' | 'error' | 'errorCode'> {
  return { status, error: message, errorCode: code }
}

function toFailure({ error, signal }: { error: unknown; signal: AbortSignal }): RunFailure {
  if (!(error instanceof ModelError))
    return { status: 'failed', message: 'The run failed on the server', code: 'internal' }
  if (error.code !== 'aborted') return { status: 'failed', message: error.message, code: error.code }
  return signal.reason instanceof StoppedByServer ? STOPPED_BY_SERVER : STOPPED_BY_PERSON
}
