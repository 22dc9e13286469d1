import type { UsageDay } from '@catenary/contracts'
import type { ReactNode } from 'react'
import { cn } from '../../lib/utils.ts'
import { ChartFrame, type ChartTable } from './chart-frame.tsx'
import { DayPlot, type Scales } from './day-plot.tsx'
import type { UsageView } from './usage-view.ts'

export interface DayChartProps {
  days: readonly UsageDay[]
  view: UsageView
  active: number | null
  onActive: (day: number | null) => void
}

export interface Part<Key extends string> {
  key: Key
  label: string
  fill: string
  dot: string
  value: (day: UsageDay) => number
}

/** In pixels: a single failure is still seen. */
const MARK_MIN = 2

interface StackedChartProps<Key extends string> extends Omit<DayChartProps, 'view'> {
  title: string
  label: string
  height: number
  parts: readonly Part<Key>[]
  table: ChartTable
  formatTick: (value: number) => string
  isWhole?: boolean
  describe: (day: UsageDay) => string
  hrefOf: (day: UsageDay, part: Key | undefined) => string
  tooltip: ReactNode
  className?: string
}

export function StackedChart<Key extends string>({
  title,
  parts,
  table,
  hrefOf,
  className = '',
  ...plot
}: StackedChartProps<Key>) {
  const most = Math.max(0, ...plot.days.map((day) => sumOf(parts, day)))
  return (
    <ChartFrame title={title} legend={<Legend parts={parts} />} className={className} table={table}>
      <DayPlot {...plot} most={most} hrefOf={(day, value) => hrefOf(day, partAt(parts, day, value))}>
        {(scales) =>
          plot.days.map((day, index) => (
            <Stack
              key={day.date}
              day={day}
              index={index}
              scales={scales}
              parts={parts}
              className={cn(index === plot.days.length - 1 && 'opacity-60')}
            />
          ))
        }
      </DayPlot>
    </ChartFrame>
  )
}

export const sumOf = (parts: readonly Part<string>[], day: UsageDay): number =>
  parts.reduce((sum, { value }) => sum + value(day), 0)

/** The part of the bar at that height; above it, none. */
function partAt<Key extends string>(
  parts: readonly Part<Key>[],
  day: UsageDay,
  height: number | null,
): Key | undefined {
  let top = 0
  return height === null
    ? undefined
    : parts.find(({ value }) => {
        top += value(day)
        return height <= top
      })?.key
}

interface StackProps {
  day: UsageDay
  index: number
  scales: Scales
  parts: readonly Part<string>[]
  className: string
}

function Stack({ day, index, scales: { x, y }, parts, className }: StackProps) {
  let top = y(0)
  return (
    <g className={className}>
      {parts.map(({ key, fill, value }, place) => {
        if (value(day) === 0) return null
        const height = Math.max(MARK_MIN, y(0) - y(value(day)))
        top -= height
        return (
          <rect
            key={key}
            x={x(index)}
            y={top}
            width={x.bandwidth()}
            height={Math.max(1, height - (place === 0 ? 0 : 1))}
            className={fill}
          />
        )
      })}
    </g>
  )
}

function Legend({ parts }: { parts: readonly Part<string>[] }) {
  return (
    <ul className="flex gap-3 text-sm text-text-2">
      {parts.map(({ key, label, dot }) => (
        <li key={key} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={cn('size-2 rounded-[2px]', dot)} />
          {label}
        </li>
      ))}
    </ul>
  )
}

export function PartMetrics({
  parts,
  day,
  format,
}: {
  parts: readonly Part<string>[]
  day: UsageDay
  format: (value: number) => string
}) {
  return parts.toReversed().map(({ key, label, dot, value }) => (
    <p key={key} className="flex items-center gap-2">
      <span className={cn('size-2 rounded-[2px]', dot)} />
      <span className="text-text-2">{label}</span>
      <span className="ml-auto font-medium tabular-nums">{format(value(day))}</span>
    </p>
  ))
}
