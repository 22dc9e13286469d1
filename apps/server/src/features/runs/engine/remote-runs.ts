import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../database/statements/executor.ts'
import { type Context, onePerApp } from '../../../platform/context.ts'
import { type ActiveStep, activeRuns } from './active-runs.ts'
import { atIntervals } from './channels/at-intervals.ts'
import { type HaveText, runSignals } from './channels/run-signals.ts'
import { textWays } from './channels/text-ways.ts'
import { followedElsewhere } from './followed-elsewhere.ts'
import type { LiveChange } from './live-changes.ts'
import { LiveText } from './live-text.ts'

const INTEREST_MS = 10_000
const ASK_MS = 20
/** As many as fit into a notification. */
const ASKED_AT_ONCE = 150
/** For the last words of a run in another process, whose end is read at once. */
const LAST_WORDS_MS = 2_000

interface Mirror {
  step: ActiveStep | undefined
  followers: number
  told: PromiseWithResolvers<void>
}

interface RemoteRuns {
  mirrors: Map<number, Mirror>
  ask: (id: number) => void
}

/** Lets processes follow each other's runs; a run without followers costs nothing. */
export const remoteRuns = onePerApp(createRemoteRuns)

function createRemoteRuns(ctx: Context<Database>) {
  const active = activeRuns(ctx)
  const signals = runSignals(ctx)
  const ways = textWays(ctx)
  const mirrors = new Map<number, Mirror>()
  const asked = new Set<number>()
  const send = atIntervals({
    ms: () => ASK_MS,
    run: () => sendAsked(ctx, { mirrors, asked }),
  })
  const ask = (id: number): void => {
    asked.add(id)
    send()
  }
  const askAll = (): void => {
    for (const id of mirrors.keys()) ask(id)
  }
  const runs: RemoteRuns = { mirrors, ask }
  let asking: NodeJS.Timeout | undefined

  signals.subscribe((signal, sender) => {
    if (signal.type === 'follow') followedElsewhere(ctx).hear(signal, sender)
  })
  signals.onReconnect(askAll)
  ways.onBusChange(askAll)

  return {
    step: (id: number): ActiveStep | undefined => active.get(id)?.step ?? mirrors.get(id)?.step,

    /** Of a run that has ended in another process: once its last words are here, or have had the time. */
    async lastWords(id: number): Promise<void> {
      const mirror = mirrors.get(id)
      if (active.get(id) !== undefined || mirror?.step === undefined) return
      await Promise.race([mirror.told.promise, delay(LAST_WORDS_MS, undefined, { ref: false })])
    },

    follow(id: number): () => void {
      if (signals.alone) return () => undefined
      const mirror = mirrors.get(id) ?? { step: undefined, followers: 0, told: Promise.withResolvers() }
      mirror.followers += 1
      mirrors.set(id, mirror)
      asking ??= setInterval(askAll, INTEREST_MS).unref()
      ask(id)
      return () => {
        mirror.followers -= 1
        if (mirror.followers > 0) return
        mirrors.delete(id)
        if (mirrors.size > 0) return
        clearInterval(asking)
        asking = undefined
      }
    },

    start: (): Promise<void> =>
      ways.start((changes) => {
        for (const change of changes as LiveChange[]) receive(ctx, runs, change)
      }),
  }
}

async function sendAsked(
  ctx: Context,
  { mirrors, asked }: Pick<RemoteRuns, 'mirrors'> & { asked: Set<number> },
): Promise<void> {
  const active = activeRuns(ctx)
  const ids = [...asked].filter((id) => mirrors.has(id) && active.get(id) === undefined)
  asked.clear()
  for (let first = 0; first < ids.length; first += ASKED_AT_ONCE) {
    const runs = ids.slice(first, first + ASKED_AT_ONCE).map((id) => haveOf(id, mirrors.get(id)?.step))
    await runSignals(ctx).send({ type: 'follow', runs, bus: textWays(ctx).bus })
  }
}

function haveOf(id: number, step: ActiveStep | undefined): HaveText {
  if (step === undefined) return [id, 0, 0, -1, false]
  const { position, retries, text } = step
  return [id, position, retries, text.value.length, text.waitsFor !== undefined]
}

function receive(ctx: Context, runs: RemoteRuns, change: LiveChange): void {
  if (change.type === 'text') receiveText(ctx, runs, change)
  else if (change.type === 'changed') receiveStep(ctx, runs, change)
}

function receiveStep(
  ctx: Context,
  { mirrors }: RemoteRuns,
  signal: Extract<LiveChange, { type: 'changed' }>,
): void {
  const { id, step: told } = signal
  const mirror = mirrors.get(id)
  if (mirror === undefined) return
  if (told === undefined) mirror.told.resolve()
  else {
    const { waitsFor } = told
    setStep(mirror, told)
    if (mirror.step) mirror.step.items = told.items
    mirror.step?.text.wait(waitsFor && { ...waitsFor, until: new Date(waitsFor.until) })
  }
  activeRuns(ctx).notify(id, 'step')
}

function receiveText(
  ctx: Context,
  { mirrors, ask }: RemoteRuns,
  { id, from, text, ...told }: Extract<LiveChange, { type: 'text' }>,
): void {
  const active = activeRuns(ctx)
  const mirror = mirrors.get(id)
  if (mirror === undefined) return
  if (setStep(mirror, told)) active.notify(id, 'step')
  const known = mirror.step?.text.value.length ?? 0
  if (from > known) ask(id)
  else if (from + text.length > known) {
    mirror.step?.text.append(text.slice(known - from))
    active.notify(id, 'text')
  }
}

function setStep(
  mirror: Mirror,
  { position, retries, startedAt }: Pick<ActiveStep, 'position' | 'retries' | 'startedAt'>,
): boolean {
  const { step } = mirror
  if (step?.position === position && step.retries === retries && step.startedAt === startedAt) return false
  mirror.step = { position, retries, startedAt, text: new LiveText() }
  mirror.told.resolve()
  mirror.told = Promise.withResolvers()
  return true
}
