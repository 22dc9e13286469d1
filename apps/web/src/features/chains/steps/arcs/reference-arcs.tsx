import type { StepStatus } from '@catenary/contracts'
import type { TakenOutput } from '@catenary/domain'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { cn } from '../../../../lib/utils.ts'

const RAIL_WIDTH = 76
const NUMBER_EDGE = 35

export interface ReferenceArcsProps {
  list: RefObject<HTMLElement | null>
  taken: readonly (readonly TakenOutput[])[]
  statuses: readonly (StepStatus | undefined)[]
}

export function ReferenceArcs({ list, taken, statuses }: ReferenceArcsProps) {
  const middles = useMiddles({ list, count: taken.length })
  const pointed = usePointedItem(list)
  return (
    <svg
      aria-hidden="true"
      width={RAIL_WIDTH}
      className="pointer-events-none absolute top-0 left-0 h-full max-md:hidden"
    >
      {arcsOf(taken).map(({ from, to, depth }) => {
        const y1 = middles[from]
        const y2 = middles[to]
        if (y1 === undefined || y2 === undefined) return null
        const x = NUMBER_EDGE - depth
        const bend = Math.min(56, (y2 - y1) / 2)
        const status = statuses[to]
        const isAwaited = status === 'waiting' || status === 'cancelled' || status === 'skipped'
        return (
          <path
            key={`${from}.${to}`}
            d={`M${NUMBER_EDGE} ${y1} C${x} ${y1} ${x} ${y1 + bend / 2} ${x} ${y1 + bend} V${y2 - bend} C${x} ${y2 - bend / 2} ${x} ${y2} ${NUMBER_EDGE} ${y2}`}
            fill="none"
            strokeWidth="1.5"
            strokeDasharray={isAwaited ? '3 4' : undefined}
            data-pointed={from === pointed || to === pointed || undefined}
            className={cn(
              'transition-opacity data-pointed:stroke-[2.5] data-pointed:opacity-100',
              isAwaited ? 'stroke-line-strong' : 'stroke-out',
              pointed !== null ? 'opacity-25' : status === undefined && 'opacity-70',
            )}
          />
        )
      })}
    </svg>
  )
}

function usePointedItem(list: RefObject<HTMLElement | null>): number | null {
  const [pointed, setPointed] = useState<number | null>(null)
  useEffect(() => {
    const element = list.current
    if (!element) return
    const point = ({ target }: Event) => {
      const index = [...element.children].findIndex((item) => target instanceof Node && item.contains(target))
      setPointed(index === -1 ? null : index)
    }
    const leave = () => setPointed(null)
    const listeners = { pointerover: point, focusin: point, pointerleave: leave, focusout: leave }
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener)
    }
  }, [list])
  return pointed
}

function useMiddles({ list, count }: { list: RefObject<HTMLElement | null>; count: number }): number[] {
  const [middles, setMiddles] = useState<number[]>([])
  useLayoutEffect(() => {
    const element = list.current
    if (!element || count === 0) return
    const items = [...element.children].filter((child) => child instanceof HTMLElement)
    const measure = () => {
      const next = items.map((item) => item.offsetTop + middleOf(item))
      setMiddles((middles) => (isSame(middles, next) ? middles : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    for (const item of items) observer.observe(item)
    return () => observer.disconnect()
  })
  return middles
}

function middleOf(item: HTMLElement): number {
  const number = item.querySelector<HTMLElement>('[data-step-number]')
  return number ? number.offsetTop + number.offsetHeight / 2 : 0
}

function isSame(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index])
}

interface Arc {
  from: number
  to: number
  depth: number
}

const DEPTH_MIN = 14
const DEPTH_MAX = 34
const LANE_STEP = 7

/** The arcs of the outputs that skip a step, short ones inside long ones and none along another. */
export function arcsOf(taken: readonly (readonly TakenOutput[])[]): Arc[] {
  const spans = taken.flatMap((outputs, to) => {
    const origins = new Set(outputs.map(({ from }) => from))
    return [...origins].filter((from) => to - from > 1).map((from) => ({ from, to }))
  })
  const lanes: { from: number; to: number }[][] = []
  const placed = spans
    .toSorted((left, right) => left.to - left.from - (right.to - right.from))
    .map((span) => {
      const free = lanes.findIndex((lane) => lane.every((other) => isApart(other, span)))
      const lane = free === -1 ? lanes.push([]) - 1 : free
      lanes[lane]?.push(span)
      return { ...span, lane }
    })
  const step = Math.min(LANE_STEP, (DEPTH_MAX - DEPTH_MIN) / Math.max(1, lanes.length - 1))
  return placed.map(({ from, to, lane }) => ({ from, to, depth: DEPTH_MIN + lane * step }))
}

function isApart(left: { from: number; to: number }, right: { from: number; to: number }): boolean {
  return left.to <= right.from || right.to <= left.from
}
