import type { UsageDay } from '@catenary/contracts'
import { Area, LinePath } from '@visx/shape'
import { ChartFrame } from './chart-frame.tsx'
import { DayPlot, type Scales } from './day-plot.tsx'
import type { DayChartProps } from './stacked-chart.tsx'
import { dayText, longDayText, timeText } from './usage-text.ts'
import { runsAddress } from './usage-view.ts'

interface TimesChartProps extends DayChartProps {
  title: string
  measure: 'whole' | 'firstText'
}

const HEIGHT = 160

/** How long it took on each day: half of the runs at most the line, 95 of 100 within the band. */
export function TimesChart({ title, measure, days, view, active, onActive }: TimesChartProps) {
  const most = Math.max(0, ...days.map((day) => day[measure]?.p95 ?? 0))
  const words = ({ [measure]: times }: UsageDay) =>
    times === null ? 'no runs' : `p50 ${timeText(times.p50)}, p95 ${timeText(times.p95)}`
  return (
    <ChartFrame
      title={title}
      subtitle="p50, band to p95"
      table={{
        head: ['Day', 'p50', 'p95'],
        rows: days.flatMap(({ date, [measure]: times }) =>
          times === null
            ? []
            : { key: date, cells: [dayText(date), timeText(times.p50), timeText(times.p95)] },
        ),
      }}
    >
      <DayPlot
        days={days}
        active={active}
        onActive={onActive}
        most={most}
        height={HEIGHT}
        label={`${title} by day`}
        formatTick={(ms) => (most < 1_000 ? `${ms} ms` : `${ms / 1_000} s`)}
        describe={(day) => `${longDayText(day.date)}: ${words(day)}`}
        hrefOf={({ date }) => runsAddress(view, { date, outcome: 'completed' })}
      >
        {(scales) => <Band days={days} measure={measure} scales={scales} active={active} />}
      </DayPlot>
    </ChartFrame>
  )
}

interface BandProps {
  days: readonly UsageDay[]
  measure: 'whole' | 'firstText'
  scales: Scales
  active: number | null
}

interface Point {
  index: number
  p50: number
  p95: number
}

function Band({ days, measure, scales: { x, y }, active }: BandProps) {
  const points = days.map(({ [measure]: times }, index): Point | null => times && { index, ...times })
  const at = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2
  const crossed = active === null ? null : points[active]
  const line = {
    data: points,
    // A day without runs is a gap.
    defined: (point: Point | null) => point !== null,
    x: (_point: Point | null, index: number) => at(index),
  }
  const of = (part: 'p50' | 'p95') => (point: Point | null) => y(point?.[part] ?? 0)
  const alone = points.flatMap((point, index) =>
    point && !points[index - 1] && !points[index + 1] ? [point] : [],
  )
  return (
    <g className="pointer-events-none">
      <Area {...line} y0={of('p50')} y1={of('p95')} className="fill-accent/15" />
      <LinePath {...line} y={of('p95')} fill="none" className="stroke-accent/60" />
      <LinePath {...line} y={of('p50')} fill="none" strokeWidth={2} className="stroke-accent" />
      {alone.map((point) => (
        <Marks key={point.index} point={point} x={at(point.index)} y={y} />
      ))}
      {crossed && (
        <>
          <Marks point={crossed} x={at(crossed.index)} y={y} />
          <Metrics point={crossed} x={at(crossed.index)} y={y} isLate={crossed.index > days.length / 2} />
        </>
      )}
    </g>
  )
}

interface MarkProps {
  point: Point
  x: number
  y: Scales['y']
}

function Marks({ point, x, y }: MarkProps) {
  return (
    <g strokeWidth={2} className="stroke-accent">
      <circle cx={x} cy={y(point.p95)} r={3.5} className="fill-surface" />
      <circle cx={x} cy={y(point.p50)} r={3.5} className="fill-accent" />
    </g>
  )
}

function Metrics({ point, x, y, isLate }: MarkProps & { isLate: boolean }) {
  const place = { x: isLate ? x - 9 : x + 9, textAnchor: isLate ? 'end' : 'start' } as const
  return (
    <g strokeWidth={4} paintOrder="stroke" className="fill-text stroke-surface text-sm font-medium">
      <text {...place} y={y(point.p95) + 4}>
        p95 {timeText(point.p95)}
      </text>
      <text {...place} y={Math.max(y(point.p50) + 18, y(point.p95) + 20)}>
        p50 {timeText(point.p50)}
      </text>
    </g>
  )
}
