import { expect, test } from 'vitest'
import { arcsOf } from './reference-arcs.tsx'

const from = (...steps: number[]) => steps.map((step) => ({ name: `o${step}`, from: step }))

test('References that skip a step are drawn as arcs.', () => {
  const twice = [...from(0), { name: 'other', from: 0 }]
  expect(arcsOf([[], from(0), [...twice, ...from(1)]]).map(({ from, to }) => [from, to])).toEqual([[0, 2]])
})

test('arcs beside each other share a depth, those that overlap do not, and the longest is outermost', () => {
  const arcs = arcsOf([[], [], from(0), [], from(2, 0)])
  const depth = (start: number, end: number) =>
    arcs.find(({ from, to }) => from === start && to === end)?.depth
  expect(depth(0, 2)).toBe(depth(2, 4))
  expect(depth(0, 4)).toBeGreaterThan(depth(0, 2) ?? 0)
})

test('however many there are, they stay on the rail', () => {
  const taken = Array.from({ length: 100 }, (_, index) => from(...Array(index).keys()))
  const depths = arcsOf(taken).map(({ depth }) => depth)
  expect(Math.max(...depths)).toBeLessThanOrEqual(34)
  expect(Math.min(...depths)).toBeGreaterThan(0)
})
