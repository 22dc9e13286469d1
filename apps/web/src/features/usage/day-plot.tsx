import type { UsageDay } from '@catenary/contracts'
import { AxisBottom, AxisLeft } from '@visx/axis'
import { scaleBand, scaleLinear } from '@visx/scale'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Link } from 'wouter'
import { dayText } from './usage-text.ts'

const UNKNOWN_WIDTH = 640

const MARGIN = { top: 8, right: 18, bottom: 24 }
/** Of a figure of the axis, whose text is 12 px high. */
const DIGIT_WIDTH = 7
const AXIS_GAP = 12
const DATE_WIDTH = 72

export interface Scales {
  x: ReturnType<typeof scaleBand<number>>
  y: ReturnType<typeof scaleLinear<number>>
}

interface DayPlotProps {
  days: readonly UsageDay[]
  height: number
  most: number
  formatTick: (value: number) => string
  isWhole?: boolean
  active: number | null
  onActive: (day: number | null) => void
  describe: (day: UsageDay) => string
  /** Where a day leads to; `value` is the pointer's height on the axis, null by keyboard. */
  hrefOf: (day: UsageDay, value: number | null) => string
  children: (scales: Scales) => ReactNode
  tooltip?: ReactNode
  label: string
}

/** A drawing over days. The whole of it is one link, to the day that the pointer or the arrow keys are at. */
export function DayPlot({
  days,
  height,
  most,
  formatTick,
  isWhole = false,
  active,
  onActive,
  describe,
  hrefOf,
  children,
  tooltip,
  label,
}: DayPlotProps) {
  const frame = useRef<HTMLElement>(null)
  const width = useWidth(frame)
  const y = scaleLinear<number>({
    domain: [0, most || 1],
    range: [height - MARGIN.bottom, MARGIN.top],
    nice: 4,
  })
  const ticks = y.ticks(4).filter((tick) => !isWhole || Number.isInteger(tick))
  // The longest figure fits; short ones keep the drawings of a page in line.
  const left = Math.max(
    44,
    AXIS_GAP + DIGIT_WIDTH * Math.max(...ticks.map((tick) => formatTick(tick).length)),
  )
  const x = scaleBand<number>({
    domain: days.map((_, index) => index),
    range: [left, width - MARGIN.right],
    paddingInner: 0.32,
    paddingOuter: 0.2,
  })
  const last = days.length - 1
  const every = Math.max(1, Math.ceil((DATE_WIDTH * days.length) / Math.max(1, width - left)))
  const dates = days.map((_, index) => index).filter((index) => (last - index) % every === 0)
  const centre = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2
  const [value, setValue] = useState<number | null>(null)
  const current = active ?? last
  const day = days[current]
  const onPointerMove = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    const box = currentTarget.getBoundingClientRect()
    const place = Math.floor((clientX - box.left) / x.step())
    onActive(Math.max(0, Math.min(last, place)))
    setValue(y.invert(clientY - box.top + MARGIN.top))
  }
  const leave = () => {
    setValue(null)
    onActive(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const places: Record<string, number> = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: 0,
      End: last,
    }
    const place = places[event.key]
    if (place === undefined) return
    event.preventDefault()
    setValue(null)
    onActive(Math.max(0, Math.min(last, place)))
  }
  return (
    <figure ref={frame} aria-label={label} className="relative min-w-0" style={{ height }}>
      <svg aria-hidden="true" width={width} height={height} className="block overflow-visible">
        {ticks.map((tick) => (
          <line
            key={tick}
            x1={left}
            x2={width - MARGIN.right}
            y1={y(tick)}
            y2={y(tick)}
            className="stroke-line"
          />
        ))}
        <Axes
          left={left}
          x={x}
          y={y}
          height={height}
          ticks={ticks}
          formatTick={formatTick}
          dates={dates}
          days={days}
        />
        {active !== null && (
          <line
            x1={centre(active)}
            x2={centre(active)}
            y1={MARGIN.top}
            y2={height - MARGIN.bottom}
            strokeDasharray="2 3"
            className="stroke-text-3"
          />
        )}
        {children({ x, y })}
      </svg>
      {day && (
        <Link
          href={hrefOf(day, value)}
          aria-label={`${label}. ${describe(day)}`}
          onPointerMove={onPointerMove}
          onPointerDown={onPointerMove}
          onPointerLeave={leave}
          onFocus={() => onActive(current)}
          onBlur={leave}
          onKeyDown={onKeyDown}
          className="absolute rounded-control"
          style={{ left, right: MARGIN.right, top: MARGIN.top, bottom: MARGIN.bottom }}
        />
      )}
      <p aria-live="polite" className="sr-only">
        {active !== null && value === null && day && describe(day)}
      </p>
      {active !== null && tooltip && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute top-0 z-10 w-44 rounded-card border border-line bg-surface p-2.5 text-sm shadow-float"
          style={
            centre(active) > width / 2
              ? { right: width - centre(active) + x.step() }
              : { left: centre(active) + x.step() }
          }
        >
          {tooltip}
        </div>
      )}
    </figure>
  )
}

interface AxesProps extends Scales, Pick<DayPlotProps, 'days' | 'height' | 'formatTick'> {
  left: number
  ticks: number[]
  dates: number[]
}

function Axes({ left, x, y, height, ticks, formatTick, dates, days }: AxesProps) {
  return (
    <g>
      <AxisLeft
        scale={y}
        left={left}
        tickValues={ticks}
        tickFormat={(value) => formatTick(Number(value))}
        hideAxisLine
        hideTicks
        tickLabelProps={{
          fontFamily: 'inherit',
          className: 'fill-text-3 text-xs',
          dx: -6,
          dy: '0.32em',
          textAnchor: 'end',
        }}
      />
      <AxisBottom
        scale={x}
        top={height - MARGIN.bottom}
        tickValues={dates}
        tickFormat={(index) => dayText(days[index]?.date ?? '')}
        hideTicks
        axisLineClassName="stroke-line-strong"
        tickLabelProps={{
          fontFamily: 'inherit',
          className: 'fill-text-3 text-xs',
          dy: '0.5em',
          textAnchor: 'middle',
        }}
      />
    </g>
  )
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(UNKNOWN_WIDTH)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => setWidth(current.clientWidth || UNKNOWN_WIDTH)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
