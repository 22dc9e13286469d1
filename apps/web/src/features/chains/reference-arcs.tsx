import type { TakenOutput } from '@catenary/domain'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { cn } from '../../lib/utils.ts'
import { arcsOf } from './arcs.ts'
import type { StepTone } from './chain-page.tsx'

/** Where a step's number has its middle, from the top of its item, and the rail's width; in px. */
const NUMBER_MIDDLE = 22
const RAIL_WIDTH = 76
/** The left edge of the numbers. */
const NUMBER_EDGE = 35

export interface ReferenceArcsProps {
  list: RefObject<HTMLElement | null>
  /** For each step what it takes from earlier ones. */
  taken: readonly (readonly TakenOutput[])[]
  tones: readonly (StepTone | undefined)[]
}

/** Draws outputs that skip a step as arcs left of the line: solid, dashed while awaited by a run. */
export function ReferenceArcs({ list, taken, tones }: ReferenceArcsProps) {
  const tops = useTops({ list, count: taken.length })
  return (
    <svg
      aria-hidden="true"
      width={RAIL_WIDTH}
      className="pointer-events-none absolute top-0 left-0 h-full max-md:hidden"
    >
      {arcsOf(taken).map(({ from, to, depth }) => {
        const start = tops[from]
        const end = tops[to]
        if (start === undefined || end === undefined) return null
        const [y1, y2] = [start + NUMBER_MIDDLE, end + NUMBER_MIDDLE]
        const x = NUMBER_EDGE - depth
        const bend = Math.min(56, (y2 - y1) / 2)
        const isAwaited = tones[to] === 'waiting'
        return (
          <path
            key={`${from}.${to}`}
            d={`M${NUMBER_EDGE} ${y1} C${x} ${y1} ${x} ${y1 + bend / 2} ${x} ${y1 + bend} V${y2 - bend} C${x} ${y2 - bend / 2} ${x} ${y2} ${NUMBER_EDGE} ${y2}`}
            fill="none"
            strokeWidth="1.5"
            strokeDasharray={isAwaited ? '3 4' : undefined}
            className={cn(
              isAwaited ? 'stroke-line-strong' : 'stroke-out',
              tones[to] === undefined && 'opacity-70',
            )}
          />
        )
      })}
    </svg>
  )
}

/** Where each item of the list begins, kept current as items grow. */
function useTops({ list, count }: { list: RefObject<HTMLElement | null>; count: number }): number[] {
  const [tops, setTops] = useState<number[]>([])
  useLayoutEffect(() => {
    const element = list.current
    if (!element || count === 0) return
    const items = [...element.children].filter((child) => child instanceof HTMLElement)
    const measure = () => {
      const next = items.map(({ offsetTop }) => offsetTop)
      setTops((tops) =>
        next.length === tops.length && next.every((top, i) => top === tops[i]) ? tops : next,
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    for (const item of items) observer.observe(item)
    return () => observer.disconnect()
  })
  return tops
}
