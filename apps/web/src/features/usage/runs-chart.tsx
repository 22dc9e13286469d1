import type { RUN_OUTCOMES, UsageDay } from '@catenary/contracts'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { countText } from '../../lib/text/count-text.ts'
import { formatCount } from '../runs/format-metrics.ts'
import { type DayChartProps, type Part, PartMetrics, StackedChart, sumOf } from './stacked-chart.tsx'
import { dayText, longDayText, moneyText } from './usage-text.ts'
import { runsAddress } from './usage-view.ts'

type Outcome = (typeof RUN_OUTCOMES)[number]

const outcome = (key: Outcome, label: string, fill: string, dot: string): Part<Outcome> => ({
  key,
  label,
  fill,
  dot,
  value: (day) => day[key],
})

const OUTCOMES = [
  outcome('completed', 'Completed', 'fill-accent', 'bg-accent'),
  outcome('failed', 'Failed', 'fill-danger', 'bg-danger'),
  outcome('cancelled', 'Stopped', 'fill-line-strong', 'bg-line-strong'),
]
const HEIGHT = 236

export function RunsChart({ view, ...chart }: DayChartProps) {
  const { days, active } = chart
  const day = active === null ? undefined : days[active]
  const hrefOf = ({ date }: UsageDay, outcome?: Outcome) =>
    runsAddress(view, { date, ...(outcome && { outcome }) })
  return (
    <StackedChart
      {...chart}
      title="Runs a day"
      label="Runs a day, by how they ended"
      height={HEIGHT}
      parts={OUTCOMES}
      isWhole
      formatTick={formatCount}
      describe={describeDay}
      hrefOf={hrefOf}
      tooltip={day && <DayMetrics day={day} />}
      className="lg:col-span-2"
      table={{
        head: ['Day', ...OUTCOMES.map(({ label }) => label), 'Cost'],
        rows: days.map((each) => ({
          key: each.date,
          cells: [
            <RunsLink key="day" href={hrefOf(each)}>
              {dayText(each.date)}
            </RunsLink>,
            ...OUTCOMES.map(({ key, value }) => (
              <RunsLink key={key} href={hrefOf(each, key)}>
                {formatCount(value(each))}
              </RunsLink>
            )),
            moneyText(each.costUsd),
          ],
        })),
      }}
    />
  )
}

function describeDay(day: UsageDay): string {
  const ends = OUTCOMES.map(({ value, label }) => `${formatCount(value(day))} ${label.toLowerCase()}`)
  return `${longDayText(day.date)}: ${countText(sumOf(OUTCOMES, day), 'run')}, ${ends.join(', ')}`
}

function RunsLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="inline-block min-w-6 py-1 underline underline-offset-3 pointer-coarse:min-w-11 pointer-coarse:py-3"
    >
      {children}
    </Link>
  )
}

function DayMetrics({ day }: { day: UsageDay }) {
  return (
    <>
      <p className="mb-1 flex justify-between gap-2 font-semibold">
        <span>{longDayText(day.date)}</span>
        <span>{countText(sumOf(OUTCOMES, day), 'run')}</span>
      </p>
      <PartMetrics parts={OUTCOMES} day={day} format={formatCount} />
      <p className="mt-1.5 border-t border-line pt-1.5 text-xs text-text-2">{moneyText(day.costUsd)}</p>
    </>
  )
}
