import type { UsageDay } from '@catenary/contracts'
import { formatCached, formatCount } from '../runs/format-metrics.ts'
import { type DayChartProps, type Part, PartMetrics, StackedChart } from './stacked-chart.tsx'
import { compactCount, dayText, longDayText, moneyText } from './usage-text.ts'
import { runsAddress } from './usage-view.ts'

const DIRECTIONS: Part<'in' | 'out'>[] = [
  { key: 'in', label: 'In', fill: 'fill-accent', dot: 'bg-accent', value: (day) => day.inputTokens },
  { key: 'out', label: 'Out', fill: 'fill-out', dot: 'bg-out', value: (day) => day.outputTokens },
]
const HEIGHT = 160

/** How much was read and written in a day. */
export function TokensChart({ view, ...chart }: DayChartProps) {
  const { days, active } = chart
  const day = active === null ? undefined : days[active]
  return (
    <StackedChart
      {...chart}
      title="Tokens a day"
      label="Tokens a day, in and out"
      height={HEIGHT}
      parts={DIRECTIONS}
      isWhole
      formatTick={compactCount}
      describe={describeDay}
      hrefOf={({ date }) => runsAddress(view, { date })}
      tooltip={
        day && (
          <>
            <p className="mb-1 font-semibold">{longDayText(day.date)}</p>
            <PartMetrics parts={DIRECTIONS} day={day} format={formatCount} />
            {day.cachedTokens > 0 && (
              <p className="mt-1.5 border-t border-line pt-1.5 text-xs text-text-2">{formatCached(day)}</p>
            )}
          </>
        )
      }
      table={{
        head: ['Day', 'Tokens in', 'Cached', 'Tokens out', 'Saved'],
        rows: days.map(({ date, inputTokens, cachedTokens, outputTokens, savedUsd }) => ({
          key: date,
          cells: [
            dayText(date),
            formatCount(inputTokens),
            formatCount(cachedTokens),
            formatCount(outputTokens),
            moneyText(savedUsd),
          ],
        })),
      }}
    />
  )
}

const describeDay = ({ date, inputTokens, outputTokens }: UsageDay): string =>
  `${longDayText(date)}: ${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out`
