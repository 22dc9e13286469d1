import { type ForEach, ITEM_NAMES, RUN_CALLS_MAX } from '@catenary/contracts'
import { readItems } from '@catenary/domain'
import type { Context } from '../../../platform/context.ts'
import { ActiveRun, RunStopped, type StopReason } from '../engine/active-runs.ts'
import { atIntervals } from '../engine/channels/at-intervals.ts'
import {
  CallRestsError,
  ItemFailedError,
  MissingSealedError,
  type RunFailure,
  type RunFailureCode,
  stopReason,
  ToolUnsureError,
  TooManyItemsError,
  toFailure,
  WithheldValueError,
} from '../engine/run-ending.ts'
import { catchUp } from '../engine/run-leases.ts'
import type { KnownItem } from './loop-items.sql.ts'
import { LoopState } from './loop-state.ts'
import { type ItemResult, runItem, toFailedItem } from './run-item.ts'
import { type RunningStep, type RunToGo, readList, retry, type StepOfRunning } from './step-reads.ts'

/** Watchers of a run learn of its items so often. */
const TOLD_EVERY_MS = 500
/** So long a run that nobody could take the place of is not asked again. */
const YIELD_PAUSE_MS = 2_000

const OTHER_FAILED = 'Stopped, as another item failed'

export interface LoopToGo extends RunToGo {
  underWay: RunningStep
  forEach: ForEach
}

/** The items that another process, or an attempt before, began with; false where there are none. */
export async function openItems(ctx: Context, { plan, record, underWay }: StepOfRunning): Promise<boolean> {
  if (!plan.mayHaveItems) return false
  const items = await retry(ctx, () => record.items.known(underWay.step.position))
  if (items.length > 0) underWay.loop = new LoopState(items)
  return items.length > 0
}

/**
 * Takes a step through the items of its list that are left, each kept as it ends; nothing where the run gave way to
 * others. Throws the failure of the first item that failed, once those under way have ended, unless failures are left out.
 */
export async function runLoop(ctx: Context, toGo: LoopToGo): Promise<LoopState | undefined> {
  const { run, underWay, forEach } = toGo
  const loop = underWay.loop ?? (await planItems(ctx, toGo))
  underWay.loop = loop
  let isOver = false
  const tell = async () => {
    if (!isOver) run.count(loop.counts)
  }
  await tell()
  const round = new Round({ ctx, toGo, loop, ended: atIntervals({ ms: () => TOLD_EVERY_MS, run: tell }) })
  try {
    while (loop.left.length > 0) {
      requireNoneFailed(loop, forEach)
      if ((await round.run()) === 'done') break
      if (await toGo.yieldToOthers?.()) return undefined
    }
    requireNoneFailed(loop, forEach)
    await tell()
    return loop
  } finally {
    // The next step of the run has no such count.
    isOver = true
  }
}

/** One that failed before this process had the run ends the step here, too. */
function requireNoneFailed({ failed }: LoopState, { onFailure }: ForEach): void {
  if (onFailure === 'leave_out' || failed === undefined) return
  throw new ItemFailedError({ index: failed.index, failure: failureOf(failed) })
}

export const tooMany = ({ list, max, count }: Pick<ForEach, 'list' | 'max'> & { count: number }): string =>
  `${list} has ${count} items, and the step runs for at most ${max}`

async function planItems(ctx: Context, toGo: LoopToGo): Promise<LoopState> {
  const { plan, record, underWay, forEach } = toGo
  const { list, max } = forEach
  const found = readItems(await readList(ctx, { ...toGo, list }))
  const items = found.map(({ text, isJson }) => ({ text: text.replaceAll('\0', '\uFFFD'), isJson }))
  if (items.length > max) throw new TooManyItemsError(tooMany({ list, max, count: items.length }))
  // With what a condition read before: whether the items are there follows from that.
  const resolved = underWay.read ?? {}
  const { position } = underWay.step
  if (items.length > 0) {
    const calls = plan.singleCalls + items.length + (await retry(ctx, () => record.items.count()))
    if (calls > RUN_CALLS_MAX) {
      const most = RUN_CALLS_MAX.toLocaleString('en')
      throw new TooManyItemsError(
        `With the ${items.length} items of ${list} the run would call models and services more than ${most} times`,
      )
    }
    const store = () => record.items.plan({ position, items, resolved })
    if (!(await retry(ctx, store))) throw new RunStopped('lost')
  }
  return new LoopState(
    items.map(({ text, isJson }, index) => ({ ...NOT_ENDED, index, item: text, isJson, resolved })),
  )
}

const NOT_ENDED = {
  status: null,
  provider: null,
  modelId: null,
  fallback: null,
  finishReason: null,
  aiResponse: null,
  error: null,
  errorCode: null,
  skipReason: null,
  retries: 0,
  limitWaitMs: null,
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  costNanos: null,
  savedNanos: null,
  firstTokenMs: null,
  durationMs: null,
} satisfies Partial<KnownItem>

function failureOf({ error, errorCode }: KnownItem): RunFailure {
  return { status: 'failed', message: error ?? '', code: (errorCode ?? 'internal') as RunFailureCode }
}

interface RoundOf {
  ctx: Context
  toGo: LoopToGo
  loop: LoopState
  ended: () => void
}

/** Items that run at once, until none is left, one fails, the run is stopped, or others wait for its place. */
class Round {
  readonly #of: RoundOf
  readonly #running = new Set<ActiveRun>()
  #fatal: { error: unknown } | undefined
  #failed: ItemFailedError | undefined
  #givesWay = false
  #asksFrom = 0

  constructor(of: RoundOf) {
    this.#of = of
  }

  async run(): Promise<'done' | 'awaited'> {
    const { toGo, loop } = this.#of
    const { signal } = toGo.run
    const left = loop.left
    const stop = () => this.#stop(stopReason(signal) ?? 'person')
    signal.addEventListener('abort', stop)
    this.#givesWay = false
    try {
      await Promise.all(Array.from({ length: toGo.forEach.atOnce }, () => this.#work(left)))
    } finally {
      signal.removeEventListener('abort', stop)
    }
    signal.throwIfAborted()
    if (this.#fatal) throw this.#fatal.error
    if (this.#failed) throw this.#failed
    return this.#givesWay ? 'awaited' : 'done'
  }

  async #work(left: KnownItem[]): Promise<void> {
    while (this.#mayGoOn()) {
      const item = left.shift()
      if (item === undefined) return
      try {
        await retry(this.#of.ctx, () => catchUp(this.#of.ctx))
        await this.#runOne(item)
      } catch (error) {
        this.#fatal ??= { error }
        this.#stop('person')
      }
      if (left.length > 0 && this.#isAwaited()) this.#givesWay = true
    }
  }

  #mayGoOn(): boolean {
    return !this.#givesWay && !this.#fatal && !this.#failed && !this.#of.toGo.run.signal.aborted
  }

  #isAwaited(): boolean {
    const now = performance.now()
    if (now < this.#asksFrom || !this.#of.toGo.isAwaited?.()) return false
    this.#asksFrom = now + YIELD_PAUSE_MS
    return true
  }

  #stop(reason: StopReason): void {
    for (const one of this.#running) one.stop(reason)
  }

  async #runOne(item: KnownItem): Promise<void> {
    const { ctx, toGo, loop, ended } = this.#of
    const { run, plan, record, forEach } = toGo
    const own = new ActiveRun({ attempt: run.attempt, userId: run.userId })
    own.begin({ position: toGo.underWay.step.position })
    this.#running.add(own)
    const underWay: RunningStep = {
      step: toGo.underWay.step,
      startedAt: new Date(),
      start: performance.now(),
      read: item.resolved,
    }
    const itemPlan = withItem({ plan, forEach, item })
    const asItem = { run: own, plan: itemPlan, record, underWay }
    try {
      await this.#keep(await runItem(ctx, { ...asItem, item, forEach }))
    } catch (error) {
      if (error instanceof ToolUnsureError) {
        // Without its parts, as there may be many.
        const { text = '', resolved = item.resolved } = asItem.underWay.input ?? {}
        loop.doubt({ item: item.index, why: error.message, input: { text, segments: [], resolved } })
        return
      }
      const isOthers = this.#failed !== undefined
      if (run.signal.aborted || this.#fatal || (isOfRun(error) && !isOthers)) throw error
      const failure = isOthers
        ? { ...CANCELLED, message: OTHER_FAILED }
        : toFailure({ error, signal: own.signal })
      if (failure.code === 'internal') ctx.log.error({ err: error }, 'an item of a step failed')
      if (!isOthers && forEach.onFailure === 'stop') {
        this.#failed = new ItemFailedError({ index: item.index, failure })
        this.#stop('person')
      }
      await this.#keep(toFailedItem({ ...asItem, item, error, failure }))
    } finally {
      this.#running.delete(own)
      own.end()
      if (loop.items[item.index]?.status !== null) ended()
    }
  }

  async #keep({ end, placed }: ItemResult): Promise<void> {
    const { ctx, toGo, loop } = this.#of
    const { plan, record } = toGo
    if (!(await retry(ctx, () => record.items.store(end)))) throw new RunStopped('lost')
    loop.end(end, placed)
    if (plan.lostWorkers === 0) return
    plan.lostWorkers = 0
    await retry(ctx, () => record.items.forgetLostWorkers())
  }
}

const CANCELLED = { status: 'cancelled', code: 'cancelled' } as const

/** What no item can be left out for: it ends the run. */
const isOfRun = (error: unknown) => OF_RUN.some((kind) => error instanceof kind)
const OF_RUN = [RunStopped, WithheldValueError, MissingSealedError, CallRestsError]

/** The item is an output that its step alone has. */
export function withItem({
  plan,
  forEach,
  item: { item, isJson, index },
}: Pick<LoopToGo, 'plan' | 'forEach'> & {
  item: Pick<KnownItem, 'item' | 'isJson' | 'index'>
}): LoopToGo['plan'] {
  const outputs = new Map([...plan.outputs, [forEach.as, item], [ITEM_NAMES.number, String(index + 1)]])
  const jsonOutputs = new Map(plan.jsonOutputs)
  jsonOutputs.delete(ITEM_NAMES.number)
  if (isJson) jsonOutputs.set(forEach.as, `item ${index + 1}`)
  else jsonOutputs.delete(forEach.as)
  return { ...plan, outputs, jsonOutputs }
}
