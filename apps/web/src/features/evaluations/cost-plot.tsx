import type { TargetSummary } from '@catenary/domain'
import { AxisBottom, AxisLeft } from '@visx/axis'
import { scaleLinear } from '@visx/scale'
import { cn } from '../../lib/utils.ts'
import { formatCost } from '../runs/format-metrics.ts'

const SIZE = { width: 300, height: 112 }
const MARGIN = { top: 8, right: 16, bottom: 24, left: 50 }
const LABEL_GAP = 9
/** Width of a character of a label, in px. */
const CHARACTER = 6.2
/** Nearer than this, labels would lie over each other. */
const LINE = 11

interface Point {
  name: string
  costUsd: number
  rate: number
}

export interface CostPlotProps {
  targets: readonly { name: string; summary: TargetSummary }[]
  baseline: number
}

export function CostPlot({ targets, baseline }: CostPlotProps) {
  const points = targets.flatMap(({ name, summary: { rate, costUsd } }, position) =>
    rate === null || costUsd === null ? [] : [{ name, rate, costUsd, position }],
  )
  const least = Math.min(0.8, ...points.map(({ rate }) => rate))
  const x = scaleLinear<number>({
    domain: [0, Math.max(0.000_1, ...points.map(({ costUsd }) => costUsd)) * 1.15],
    range: [MARGIN.left, SIZE.width - MARGIN.right],
    nice: 3,
  })
  const y = scaleLinear<number>({
    domain: [Math.floor(least * 5) / 5, 1],
    range: [SIZE.height - MARGIN.bottom, MARGIN.top],
  })
  const ticks = y.ticks(3)
  const labels = placeLabels(points.map((point) => ({ ...point, x: x(point.costUsd), y: y(point.rate) })))
  const described = points.map(
    ({ name, rate, costUsd }) => `${name}: ${percentOf(rate)}, ${formatCost(costUsd)}`,
  )
  return (
    <figure className="grid gap-1">
      <figcaption className="text-xs text-text-3">Pass rate against cost</figcaption>
      <svg
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        role="img"
        aria-label={described.join('; ') || 'No results yet'}
        className="block w-full overflow-visible"
      >
        {ticks.map((tick) => (
          <line
            key={tick}
            x1={MARGIN.left}
            x2={SIZE.width - MARGIN.right}
            y1={y(tick)}
            y2={y(tick)}
            className="stroke-line"
          />
        ))}
        <AxisLeft
          scale={y}
          left={MARGIN.left}
          tickValues={ticks}
          tickFormat={(value) => percentOf(Number(value))}
          hideAxisLine
          hideTicks
          tickLabelProps={{ fontFamily: 'inherit', className: TICK, dx: -4, dy: '0.32em', textAnchor: 'end' }}
        />
        <AxisBottom
          scale={x}
          top={SIZE.height - MARGIN.bottom}
          numTicks={3}
          tickFormat={(value) => `$${Number(value)}`}
          hideTicks
          axisLineClassName="stroke-line-strong"
          tickLabelProps={{ fontFamily: 'inherit', className: TICK, dy: '0.2em', textAnchor: 'middle' }}
        />
        {labels.map(({ name, position, x, y, label }) => (
          <g key={position}>
            <circle
              cx={x}
              cy={y}
              r={4}
              strokeWidth={2}
              className={cn('stroke-accent', position === baseline ? 'fill-accent' : 'fill-surface')}
            />
            {label.y > 0 && (
              <text
                x={label.x}
                y={label.y}
                dy="0.32em"
                textAnchor={label.anchor}
                className="fill-text-2 text-[11px]"
              >
                {name}
              </text>
            )}
          </g>
        ))}
      </svg>
    </figure>
  )
}

const TICK = 'fill-text-3 text-[11px]'

const percentOf = (rate: number): string => `${Math.round(rate * 100)} %`

interface Placed extends Point {
  position: number
  x: number
  y: number
}

/** Beside its point, on the side that has room; above the axis and above another one that would lie over it. */
function placeLabels(points: readonly Placed[]) {
  let below = SIZE.height - MARGIN.bottom + LINE / 2
  return points
    .toSorted((a, b) => b.y - a.y)
    .map((point) => {
      const fits = point.x + LABEL_GAP + point.name.length * CHARACTER < SIZE.width
      const y = Math.min(point.y, below - LINE)
      below = y
      return {
        ...point,
        label: fits
          ? { x: point.x + LABEL_GAP, y, anchor: 'start' as const }
          : { x: point.x - LABEL_GAP, y, anchor: 'end' as const },
      }
    })
}
