import type { TargetSummary } from '@catenary/domain'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { CostPlot } from './cost-plot.tsx'

afterEach(cleanup)

function plot(rates: number[]) {
  const targets = rates.map((rate, index) => ({
    name: `v${index + 1}`,
    summary: { rate, costUsd: 0 } as TargetSummary,
  }))
  const { container } = render(<CostPlot targets={targets} baseline={0} />)
  const axis = Number(
    container
      .querySelector('.visx-axis-bottom')
      ?.getAttribute('transform')
      ?.match(/, (\d+)/)?.[1],
  )
  const labels = [...container.querySelectorAll('circle + text')].map((text) => ({
    name: text.textContent,
    y: Number(text.getAttribute('y')),
  }))
  return { axis, labels }
}

test('a target at the foot of the plot has its name above the axis', () => {
  const { axis, labels } = plot([0.4])
  expect(axis).toBeGreaterThan(0)
  expect(labels).toEqual([{ name: 'v1', y: axis - 5.5 }])
})

test('names of targets that are alike stand above one another', () => {
  const { axis, labels } = plot([0.4, 0.4, 0.41])
  expect(labels.map(({ y }) => axis - y)).toEqual([5.5, 16.5, 27.5])
})
