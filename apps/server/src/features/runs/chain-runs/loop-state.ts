import { finishOf, type ItemCounts, type RunAttachment, type ValueOrigin } from '@catenary/contracts'
import { sumAll, sumKnown } from '@catenary/domain'
import type { UnsureOne } from '../asks/open-unsure.ts'
import type { PlacedAttachment } from '../engine/attachments.ts'
import { isPrivateOrigin } from '../engine/private-values.ts'
import type { ItemEnd, KnownItem } from './loop-items.sql.ts'

/** What counts of an answer toward those of its run. */
export type RunPart = Pick<
  KnownItem,
  'finishReason' | 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'costNanos'
>

type Resolved = Record<string, ValueOrigin>

/** What is known of the items of a step while it runs, in the order of its list. */
export class LoopState {
  readonly items: KnownItem[]
  readonly #resolved: Resolved = {}
  readonly #here: RunPart[] = []
  readonly #unsure = new Map<number, UnsureOne>()
  readonly #attachments = new Map<number, RunAttachment>()

  constructor(items: KnownItem[]) {
    this.items = items
    for (const { resolved } of items) this.#take(resolved)
  }

  /** Those that have not had their turn. */
  get left(): KnownItem[] {
    return this.items.filter(({ status, index }) => status === null && !this.#unsure.has(index))
  }

  /** In the order of the list, the calls of which nobody knows whether they happened. */
  get unsure(): UnsureOne[] {
    return [...this.#unsure.values()].toSorted((a, b) => (a.item ?? 0) - (b.item ?? 0))
  }

  doubt(call: UnsureOne & { item: number }): void {
    this.#unsure.set(call.item, call)
  }

  get failed(): KnownItem | undefined {
    return this.items.find(({ status }) => status === 'failed')
  }

  /** In the order of the list, without those that were skipped or failed. */
  get answers(): string[] {
    return this.#answered.map(({ aiResponse }) => aiResponse ?? '')
  }

  get counts(): ItemCounts {
    const skipped = this.items.filter(({ skipReason }) => skipReason !== null).length
    const completed = this.items.filter(({ status }) => status === 'completed').length - skipped
    const failed = this.items.filter(({ status }) => status === 'failed').length
    return { all: this.items.length, completed, skipped, failed }
  }

  get resolved(): Resolved {
    return this.#resolved
  }

  get attachments(): RunAttachment[] | null {
    return this.#attachments.size === 0 ? null : [...this.#attachments.values()]
  }

  /** Those that models answered here: others were counted where they ended. */
  get asked(): RunPart[] {
    return this.#here
  }

  get #answered(): KnownItem[] {
    return this.items.filter(({ status, skipReason }) => status === 'completed' && skipReason === null)
  }

  /** What its step's row says of them all. No model: each item has its own, and was counted as it ended. */
  get row() {
    const ended = this.items.filter(({ status }) => status !== null)
    const asked = ended.filter(({ status, costNanos }) => status === 'completed' || costNanos !== null)
    const answered = this.#answered
    return {
      inputTokens: sumAll(asked.map((each) => each.inputTokens)),
      outputTokens: sumAll(asked.map((each) => each.outputTokens)),
      cachedTokens: sumKnown(asked.map((each) => each.cachedTokens)),
      costNanos: sumAll(asked.map((each) => each.costNanos)),
      savedNanos: sumKnown(asked.map((each) => each.savedNanos)),
      retries: ended.reduce((sum, { retries }) => sum + retries, 0),
      limitWaitMs: ended.reduce((sum, { limitWaitMs }) => sum + (limitWaitMs ?? 0), 0),
      finishReason: finishOf(answered),
    }
  }

  /** Its own texts are not kept: they may be two hundred large ones. */
  end(end: ItemEnd, placed: readonly PlacedAttachment[]): void {
    const {
      position: _position,
      systemPrompt: _systemPrompt,
      messages: _messages,
      inputContent: _inputContent,
      inputSegments: _inputSegments,
      structured: _structured,
      startedAt: _startedAt,
      ...known
    } = end
    const item = this.items[known.index]
    if (item) Object.assign(item, known)
    if (known.status === 'completed' && known.skipReason === null) this.#here.push(known)
    this.#take(known.resolved)
    for (const { attachment } of placed) this.#attachments.set(attachment.fileId, attachment)
  }

  /** A value that only its runner sees is not hidden by a later one of its name. */
  #take(resolved: Resolved): void {
    for (const [name, origin] of Object.entries(resolved)) {
      if (!Object.hasOwn(this.#resolved, name) || isPrivateOrigin(origin)) this.#resolved[name] = origin
    }
  }
}
