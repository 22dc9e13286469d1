import type { RUN_OUTCOMES, UsageDay } from '@catenary/contracts'
import { Link } from 'wouter'
import { formatCount } from '../../components/run/figures.ts'
import { cn } from '../../lib/utils.ts'
import { ChartFrame } from './chart-frame.tsx'
import { DayPlot, type Scales } from './day-plot.tsx'
import { runsAddress, type UsageView } from './usage-view.ts'
import { dayWords, longDayWords, moneyWords } from './usage-words.ts'

type Outcome = (typeof RUN_OUTCOMES)[number]

/** From below to above. */
const OUTCOMES: { outcome: Outcome; label: string; fill: string; dot: string }[] = [
  { outcome: 'completed', label: 'Completed', fill: 'fill-accent', dot: 'bg-accent' },
  { outcome: 'failed', label: 'Failed', fill: 'fill-danger', dot: 'bg-danger' },
  { outcome: 'cancelled', label: 'Stopped', fill: 'fill-line-strong', dot: 'bg-line-strong' },
]
const HEIGHT = 236
/** In pixels: a single failure is still seen. */
const MARK_MIN = 2

export interface DayChartProps {
  days: readonly UsageDay[]
  view: UsageView
  active: number | null
  onActive: (day: number | null) => void
}

/** How many runs ended in a day, and how. */
export function RunsChart({ days, view, active, onActive }: DayChartProps) {
  const day = active === null ? undefined : days[active]
  const most = Math.max(0, ...days.map(runsOf))
  return (
    <ChartFrame
      title="Runs a day"
      legend={<Legend />}
      className="lg:col-span-2"
      table={{
        head: ['Day', 'Completed', 'Failed', 'Stopped', 'Tokens in', 'Tokens out', 'Cost'],
        rows: days.map((each) => ({
          key: each.date,
          cells: [
            <Link
              key="day"
              href={runsAddress(view, { date: each.date })}
              className="inline-block py-1 underline underline-offset-3 pointer-coarse:py-3"
            >
              {dayWords(each.date)}
            </Link>,
            ...[each.completed, each.failed, each.cancelled, each.inputTokens, each.outputTokens].map(
              formatCount,
            ),
            moneyWords(each.costUsd),
          ],
        })),
      }}
    >
      <DayPlot
        {...{ days, active, onActive, most }}
        height={HEIGHT}
        isWhole
        label="Runs a day, by how they ended"
        formatTick={formatCount}
        describe={describeDay}
        hrefOf={({ date }) => runsAddress(view, { date })}
        tooltip={day && <DayFigures day={day} />}
      >
        {(scales) =>
          days.map((each, index) => (
            <Stack
              key={each.date}
              day={each}
              index={index}
              scales={scales}
              hrefOf={(outcome) => runsAddress(view, { date: each.date, outcome })}
              className={cn(index === days.length - 1 && 'opacity-60')}
            />
          ))
        }
      </DayPlot>
    </ChartFrame>
  )
}

const runsOf = ({ completed, failed, cancelled }: UsageDay): number => completed + failed + cancelled

function describeDay(day: UsageDay): string {
  const ends = OUTCOMES.map(({ outcome, label }) => `${formatCount(day[outcome])} ${label.toLowerCase()}`)
  return `${longDayWords(day.date)}: ${formatCount(runsOf(day))} runs, ${ends.join(', ')}`
}

interface StackProps {
  day: UsageDay
  index: number
  scales: Scales
  hrefOf: (outcome: Outcome) => string
  className: string
}

function Stack({ day, index, scales: { x, y }, hrefOf, className }: StackProps) {
  let top = y(0)
  return (
    <g className={className}>
      {OUTCOMES.map(({ outcome, label, fill }) => {
        if (day[outcome] === 0) return null
        const height = Math.max(MARK_MIN, y(0) - y(day[outcome]))
        top -= height
        return (
          <Link
            key={outcome}
            href={hrefOf(outcome)}
            tabIndex={-1}
            aria-label={`${longDayWords(day.date)}: ${formatCount(day[outcome])} ${label.toLowerCase()}`}
          >
            <rect
              x={x(index)}
              y={top}
              width={x.bandwidth()}
              height={Math.max(1, height - (outcome === 'completed' ? 0 : 1))}
              className={fill}
            />
          </Link>
        )
      })}
    </g>
  )
}

function Legend() {
  return (
    <ul className="flex gap-3 text-sm text-text-2">
      {OUTCOMES.map(({ outcome, label, dot }) => (
        <li key={outcome} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={cn('size-2 rounded-[2px]', dot)} />
          {label}
        </li>
      ))}
    </ul>
  )
}

function DayFigures({ day }: { day: UsageDay }) {
  return (
    <>
      <p className="mb-1 flex justify-between gap-2 font-semibold">
        <span>{longDayWords(day.date)}</span>
        <span>{formatCount(runsOf(day))} runs</span>
      </p>
      {OUTCOMES.toReversed().map(({ outcome, label, dot }) => (
        <p key={outcome} className="flex items-center gap-2">
          <span className={cn('size-2 rounded-[2px]', dot)} />
          <span className="text-text-2">{label}</span>
          <span className="ml-auto font-medium tabular-nums">{formatCount(day[outcome])}</span>
        </p>
      ))}
      <p className="mt-1.5 border-t border-line pt-1.5 text-xs text-text-2">
        {moneyWords(day.costUsd)} · {formatCount(day.inputTokens)} in, {formatCount(day.outputTokens)} out
      </p>
    </>
  )
}
