import type { StepStatus } from '@catenary/contracts'
import type { TakenOutput } from '@catenary/domain'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { cn } from '../../../lib/utils.ts'
import { arcsOf } from './arcs.ts'

/** The rail's width and the left edge of the numbers, in px. */
const RAIL_WIDTH = 76
const NUMBER_EDGE = 35

export interface ReferenceArcsProps {
  list: RefObject<HTMLElement | null>
  /** For each step what it takes from earlier ones. */
  taken: readonly (readonly TakenOutput[])[]
  /** How far the run in view is; undefined for what it doesn't have. */
  statuses: readonly (StepStatus | undefined)[]
}

/** Draws outputs that skip a step as arcs left of the line: solid, dashed while awaited by a run. */
export function ReferenceArcs({ list, taken, statuses }: ReferenceArcsProps) {
  const middles = useMiddles({ list, count: taken.length })
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
        const isAwaited = status === 'waiting' || status === 'cancelled'
        return (
          <path
            key={`${from}.${to}`}
            d={`M${NUMBER_EDGE} ${y1} C${x} ${y1} ${x} ${y1 + bend / 2} ${x} ${y1 + bend} V${y2 - bend} C${x} ${y2 - bend / 2} ${x} ${y2} ${NUMBER_EDGE} ${y2}`}
            fill="none"
            strokeWidth="1.5"
            strokeDasharray={isAwaited ? '3 4' : undefined}
            className={cn(
              isAwaited ? 'stroke-line-strong' : 'stroke-out',
              status === undefined && 'opacity-70',
            )}
          />
        )
      })}
    </svg>
  )
}

/** Where each item's number has its middle, kept current as items grow. */
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
