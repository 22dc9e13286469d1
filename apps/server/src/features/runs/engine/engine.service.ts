import type { Database } from '../../../db/executor.ts'
import { ActiveRuns } from './active-runs.ts'
import type { RunSignals } from './channels/run-signals.service.ts'
import type { TextWays } from './channels/text-ways.service.ts'
import { OwnersFirst } from './leases/owners-first.ts'
import { endAbandonedRuns, extendLeases, releaseAllRuns, requestCancel } from './leases.repository.ts'
import { createRemoteRuns } from './remote-runs.service.ts'
import { stoppedByServer } from './run-ending.ts'
import { prepareReserveRunIds } from './run-ids.repository.ts'
import { batchWrites } from './write-batches.ts'

/** Writes wait for each other in the single session of an embedded database; on a server they need not. */
const WRITES_TOGETHER = { embedded: 8, server: 1 }
const IDS_TOGETHER = 64

/** What is known of a run before it starts. */
export interface StartingRun {
  userId: number
  trigger: 'manual' | 'schedule' | 'token' | 'evaluation'
}

export type Engine = ReturnType<typeof createEngine>

interface EngineDeps {
  db: Database
  signals: RunSignals
  ways: TextWays
  /** How long others' expired leases are left alone after an outage and after the start. */
  takeoverWaitMs: number
}

/** What all runs stand on: which go on here, under which leases, how others follow them and how they are stopped. */
export function createEngine({ db, signals, ways, takeoverWaitMs }: EngineDeps) {
  const closing = new AbortController()
  const active = new ActiveRuns()
  const ownersFirst = new OwnersFirst({ waitMs: signals.alone ? 0 : takeoverWaitMs })
  let extending: Promise<void> | undefined
  const subscribersOfAll = new Map<string, (run: StartingRun) => boolean>()
  const reserveId = batchWrites(prepareReserveRunIds(db, signals), { size: IDS_TOGETHER })

  function stopHere(id: number): void {
    active.get(id)?.stop('person')
    active.notify(id, 'step')
  }

  function keepLeases(): Promise<void> {
    // With nothing to extend, the question is still whether the database is back.
    extending ??= extendAll(db, active, { asks: ownersFirst.isBehind })
      .then(
        () => ownersFirst.catchUp(),
        (error: unknown) => {
          ownersFirst.fallBehind()
          throw error
        },
      )
      .finally(() => {
        extending = undefined
      })
    return extending
  }

  signals.subscribe((signal) => {
    if (signal.type === 'stop') stopHere(signal.id)
    if (signal.type === 'disabled') active.stopOf(signal.userId, 'disabled')
  })

  return {
    active,
    signals,
    ownersFirst,
    /** The id of a run that is about to be recorded. */
    reserveId: () => reserveId(undefined),
    remote: createRemoteRuns({ active, signals, ways }),
    /** How many writes may share a statement. */
    writesTogether: signals.alone ? WRITES_TOGETHER.embedded : WRITES_TOGETHER.server,
    /** Aborts when the process stops. */
    closing: closing.signal,

    /** From now on that subscriber is told of the end of every run that starts and that it wants to know of. */
    tellOfAll: (subscriber: string, wants: (run: StartingRun) => boolean): void =>
      void subscribersOfAll.set(subscriber, wants),

    /** Who is told of the end of a run that starts, those of its own among them: name → reference; null: nobody. */
    subscribersOf(run: StartingRun, own: Record<string, string> = {}): Record<string, string> | null {
      const ofAll = [...subscribersOfAll].flatMap(([name, wants]) => (wants(run) ? [[name, '']] : []))
      const told = Object.fromEntries([...ofAll, ...Object.entries(own)])
      return Object.keys(told).length === 0 ? null : told
    },

    /** Gives back what ran before this process, where no other process can have it; how many of these go on here. */
    recover: async (): Promise<number> => (signals.alone ? releaseAllRuns(db) : 0),

    keepLeases,

    /** After an outage the leases are extended first, before anything goes on. */
    async catchUp(): Promise<void> {
      if (ownersFirst.isBehind) await keepLeases()
    },

    /** Ends what ends with its process, whose process is gone. */
    async endAbandonedRuns(): Promise<void> {
      const { status, message: error, code: errorCode } = stoppedByServer
      await endAbandonedRuns(db, { status, error, errorCode })
    },

    /** Stops a run, wherever it goes on. What is deleted under way, the database itself has stopped. */
    async cancel(id: number): Promise<void> {
      await requestCancel(db, id)
      stopHere(id)
      await signals.send({ type: 'stop', id })
    },

    /** Stops what goes on as a person whose account has just been disabled, wherever it goes on. */
    async stopDisabled(userId: number): Promise<void> {
      active.stopOf(userId, 'disabled')
      await signals.send({ type: 'disabled', userId })
    },

    /** Stops the runs of this process; their runners store the end or release them. */
    close(): void {
      closing.abort()
      for (const [, run] of active.entries()) run.stop('server')
    },
  }
}

/** Extends the leases of what goes on here; what lost its lease, or was stopped elsewhere, ends. */
async function extendAll(db: Database, active: ActiveRuns, { asks }: { asks: boolean }): Promise<void> {
  const held = active
    .entries()
    .flatMap(([id, run]) => (run.isRecorded ? [{ id, attempt: run.attempt, run }] : []))
  const kept = held.length === 0 && !asks ? [] : await extendLeases(db, held)
  const keptById = new Map(kept.map((lease) => [lease.id, lease]))
  for (const { id, run } of held) {
    const lease = keptById.get(id)
    if (lease === undefined) run.stop('lost')
    else if (lease.cancelRequested) run.stop('person')
    else if (lease.runnerDisabled) run.stop('disabled')
  }
}
