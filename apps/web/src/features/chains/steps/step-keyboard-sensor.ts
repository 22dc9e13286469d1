import {
  type Activators,
  type CollisionDetection,
  rectIntersection,
  type SensorInstance,
  type SensorProps,
  type UniqueIdentifier,
} from '@dnd-kit/core'
import { hasSortableData } from '@dnd-kit/sortable'
import { flushSync } from 'react-dom'
import { isEscape } from '../../../lib/keyboard/pressed.ts'

export interface CarryTarget {
  current: UniqueIdentifier | null
}

interface StepKeyboardOptions {
  carriedTo: CarryTarget
}

const DIRECTIONS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }
const STARTS = new Set(['Space', 'Enter'])
const DROPS = new Set(['Space', 'Enter', 'Tab'])

/**
 * Moves a step by keyboard. Each arrow key counts a position when it is pressed: the library's own sensor reads its
 * measurements, and loses the key while there are none, as right after another move.
 */
export class StepKeyboardSensor implements SensorInstance {
  static activators: Activators<StepKeyboardOptions> = [
    {
      eventName: 'onKeyDown',
      handler: (event: React.KeyboardEvent, _options, { active }) => {
        const isAsked = STARTS.has(event.nativeEvent.code) && event.target === active.activatorNode.current
        if (isAsked) event.preventDefault()
        return isAsked
      },
    },
  ]
  autoScrollEnabled = false
  readonly #props: SensorProps<StepKeyboardOptions>
  readonly #listening = new AbortController()
  readonly #document: Document
  #isWaiting = false
  #isDropped = false

  constructor(props: SensorProps<StepKeyboardOptions>) {
    this.#props = props
    const { event, activeNode, active, options } = props
    this.#document = activeNode.node.current?.ownerDocument ?? document
    options.carriedTo.current = active
    activeNode.node.current?.scrollIntoView({ block: 'nearest' })
    const { signal } = this.#listening
    const cancel = () => this.#end(props.onCancel)
    window.addEventListener('resize', cancel, { signal })
    this.#document.addEventListener('visibilitychange', cancel, { signal })
    this.#document.addEventListener('keydown', (pressed) => pressed === event || this.#press(pressed), {
      signal,
    })
    props.onStart({ x: 0, y: 0 })
  }

  #press(event: KeyboardEvent): void {
    const { context, options, active, onCancel } = this.#props
    if (isEscape(event)) {
      event.preventDefault()
      this.#end(onCancel)
      return
    }
    if (DROPS.has(event.code)) {
      event.preventDefault()
      this.#isDropped = true
      this.#settle()
      return
    }
    const direction = DIRECTIONS[event.code]
    if (direction === undefined) return
    event.preventDefault()
    const carried = context.current.droppableContainers.get(active)
    if (this.#isDropped || !hasSortableData(carried)) return
    const { items } = carried.data.current.sortable
    const place = items.indexOf(options.carriedTo.current ?? active)
    const next = items[place + direction]
    if (next === undefined) return
    options.carriedTo.current = next
    this.#settle()
  }

  #settle(): void {
    if (this.#isWaiting) return
    if (this.#isMeasured()) this.#move()
    if (this.#listening.signal.aborted || !(this.#isDropped || !this.#isMeasured())) return
    this.#isWaiting = true
    requestAnimationFrame(() => {
      this.#isWaiting = false
      if (!this.#listening.signal.aborted) this.#settle()
    })
  }

  #isMeasured(): boolean {
    const { context, options, active } = this.#props
    const { droppableRects, collisionRect } = context.current
    const { current } = options.carriedTo
    return Boolean(
      collisionRect && droppableRects.has(active) && current !== null && droppableRects.has(current),
    )
  }

  #move(): void {
    const { context, options, active, onMove, onEnd } = this.#props
    const { droppableRects, droppableContainers } = context.current
    const from = droppableRects.get(active)
    const to = droppableRects.get(options.carriedTo.current ?? active)
    if (!from || !to) return
    const y = to.top > from.top ? to.bottom - from.bottom : to.top - from.top
    flushSync(() => onMove({ x: 0, y }))
    droppableContainers
      .get(options.carriedTo.current ?? active)
      ?.node.current?.scrollIntoView({ block: 'nearest' })
    // What it is over is reported a moment later than where it is.
    if (this.#isDropped && context.current.over?.id === options.carriedTo.current) this.#end(onEnd)
  }

  #end(notify: () => void): void {
    this.#listening.abort()
    notify()
    this.#props.options.carriedTo.current = null
  }
}

export function detectCollision(carriedTo: CarryTarget): CollisionDetection {
  return (seen) => {
    const carried = seen.droppableContainers.filter(({ id }) => id === carriedTo.current)
    return carried.length > 0 ? carried.map(({ id }) => ({ id })) : rectIntersection(seen)
  }
}
