import type { TakenOutput } from '@catenary/domain'

export interface Arc {
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
