import type { ActiveRuns, ActiveStep } from './active-runs.ts'
import { LiveText } from './live-text.ts'
import type { RunSignal, RunSignals } from './run-signals.service.ts'
import { StepReader } from './step-reader.ts'

/** A notification holds 8,000 bytes; a character takes at most six. */
const PIECE_LENGTH = 1_200
const PIECES_A_FLUSH = 16
const FLUSH_MS = 100
/** How often a follower says that it is still there, and how long that counts. */
const INTEREST_MS = 10_000
const INTEREST_COUNTS_MS = 25_000

/** A run of another process, as signals describe it. */
interface Mirror {
  step: ActiveStep | undefined
  followers: number
  tick: NodeJS.Timeout
}

/** A run that others follow, in case it goes on here, now or later. */
interface Broadcast {
  reader: StepReader
  /** It goes on here, or did when it was last looked at. */
  isHere: boolean
  stepChanged: boolean
  /** Something came after the last flush began. */
  changed: boolean
  timer: NodeJS.Timeout | undefined
  expiry: NodeJS.Timeout
}

/** Which runs of other processes are followed here, and which of this process elsewhere. */
interface RemoteRuns {
  active: ActiveRuns
  signals: RunSignals
  mirrors: Map<number, Mirror>
  broadcasts: Map<number, Broadcast>
}

/** Lets processes follow each other's runs; a run without followers costs nothing. */
export function createRemoteRuns({ active, signals }: Pick<RemoteRuns, 'active' | 'signals'>) {
  const runs: RemoteRuns = { active, signals, mirrors: new Map(), broadcasts: new Map() }
  const { mirrors } = runs

  signals.subscribe((signal) => {
    if (signal.type === 'watch') broadcast(runs, signal)
    if (signal.type === 'text') receive(runs, signal)
    if (signal.type === 'changed') receiveStep(runs, signal)
  })

  return {
    /** The step under way of a run that is followed here, wherever it goes on. */
    step: (id: number): ActiveStep | undefined => active.get(id)?.step ?? mirrors.get(id)?.step,

    /** Whether its text came from another process so far. */
    isElsewhere: (id: number): boolean => active.get(id) === undefined && mirrors.get(id)?.step !== undefined,

    /** Subscribes this process to a run's changes; the result unsubscribes. */
    follow(id: number): () => void {
      if (signals.alone) return () => undefined
      const mirror = mirrors.get(id) ?? {
        step: undefined,
        followers: 0,
        tick: setInterval(ask, INTEREST_MS, runs, id).unref(),
      }
      mirror.followers += 1
      mirrors.set(id, mirror)
      ask(runs, id)
      return () => {
        mirror.followers -= 1
        if (mirror.followers > 0) return
        clearInterval(mirror.tick)
        mirrors.delete(id)
      }
    },
  }
}

function ask({ active, signals, mirrors }: RemoteRuns, id: number): void {
  if (active.get(id) !== undefined) return
  const step = mirrors.get(id)?.step
  const { position = 0, retries = 0 } = step ?? {}
  void signals.send({ type: 'watch', id, position, retries, from: step?.text.value.length ?? 0 })
}

function receiveStep({ active, mirrors }: RemoteRuns, signal: Extract<RunSignal, { type: 'changed' }>): void {
  const { id, step: told } = signal
  const mirror = mirrors.get(id)
  if (told !== undefined && mirror !== undefined) {
    const { waitsFor } = told
    mirror.step = keptStep(mirror, told)
    mirror.step.text.wait(waitsFor && { ...waitsFor, until: new Date(waitsFor.until) })
  }
  active.notify(id, 'step')
}

/** The step that is told of: the same as before, or another. Whoever takes a run over begins its step again. */
function keptStep(
  { step }: Mirror,
  { position, retries, startedAt }: Pick<ActiveStep, 'position' | 'retries' | 'startedAt'>,
): ActiveStep {
  const isKnown = step?.position === position && step.retries === retries && step.startedAt === startedAt
  return isKnown ? step : { position, retries, startedAt, text: new LiveText() }
}

function receive(runs: RemoteRuns, { id, from, text, ...told }: Extract<RunSignal, { type: 'text' }>): void {
  const { active, mirrors } = runs
  const mirror = mirrors.get(id)
  if (mirror === undefined) return
  const { step } = mirror
  mirror.step = keptStep(mirror, told)
  if (mirror.step !== step) active.notify(id, 'step')
  const known = mirror.step?.text.value.length ?? 0
  if (from > known) ask(runs, id)
  else if (from + text.length > known) {
    mirror.step?.text.append(text.slice(known - from))
    active.notify(id, 'text')
  }
}

function broadcast(runs: RemoteRuns, { id, ...have }: Extract<RunSignal, { type: 'watch' }>): void {
  const wanted = runs.broadcasts.get(id) ?? begin(runs, id)
  wanted.expiry.refresh()
  const step = runs.active.get(id)?.step
  if (step === undefined) return
  wanted.reader.rewind(step, have)
  schedule(runs, id, wanted)
}

function begin(runs: RemoteRuns, id: number): Broadcast {
  const { active, broadcasts } = runs
  const unfollow = active.follow(id, (change) => {
    // Signals of other processes are not forwarded.
    if (active.get(id) === undefined && !begun.isHere) return
    if (change === 'step') begun.stepChanged = true
    schedule(runs, id, begun)
  })
  const expire = () => {
    unfollow()
    broadcasts.delete(id)
  }
  const begun: Broadcast = {
    reader: new StepReader(),
    isHere: false,
    stepChanged: true,
    changed: false,
    timer: undefined,
    expiry: setTimeout(expire, INTEREST_COUNTS_MS).unref(),
  }
  broadcasts.set(id, begun)
  return begun
}

function schedule(runs: RemoteRuns, id: number, wanted: Broadcast): void {
  const { active } = runs
  wanted.changed = true
  wanted.isHere ||= active.get(id) !== undefined
  wanted.timer ??= setTimeout(async () => {
    wanted.changed = false
    const isOver = active.get(id) === undefined
    const isAll = await flush(runs, id, wanted)
    wanted.timer = undefined
    if (isOver && isAll) wanted.isHere = false
    else if (wanted.changed || !isAll) schedule(runs, id, wanted)
  }, FLUSH_MS).unref()
}

/** Sends what is new; false when more is left than one flush may send. */
async function flush({ active, signals }: RemoteRuns, id: number, wanted: Broadcast): Promise<boolean> {
  for (let count = 0; count < PIECES_A_FLUSH; count += 1) {
    const piece = wanted.reader.next(active.get(id)?.step, PIECE_LENGTH)
    if (piece === undefined) {
      const { stepChanged } = wanted
      wanted.stepChanged = false
      if (stepChanged) await signals.send({ type: 'changed', id, ...toldStep(active.get(id)?.step) })
      return true
    }
    await signals.send({ type: 'text', id, ...piece })
  }
  return false
}

/** Without a step under way nothing is told of it. */
function toldStep(step: ActiveStep | undefined): Pick<Extract<RunSignal, { type: 'changed' }>, 'step'> {
  if (step === undefined) return {}
  const { position, retries, startedAt, text } = step
  return { step: { position, retries, startedAt, waitsFor: text.waitsFor } }
}
