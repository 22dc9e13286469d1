import type { StepState } from '@catenary/contracts'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChainStepStatus } from './chain-step-status.tsx'

const running: StepState = {
  position: 0,
  status: 'running',
  error: null,
  skipReason: null,
  retries: 0,
  finishReason: null,
  inputTokens: null,
  outputTokens: null,
  costUsd: null,
  cachedTokens: null,
  savedUsd: null,
  durationMs: null,
}

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-02T10:00:30.000Z') }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('the clock of a running step goes on from its start, whoever answers and whichever try it is', () => {
  const step = { ...running, startedAt: '2026-11-02T10:00:00.000Z' }
  const { rerender } = render(<ChainStepStatus step={step} />)
  expect(screen.getByText(/running/).textContent).toBe('running · 30.0 s')
  rerender(<ChainStepStatus step={running} />)
  expect(screen.getByText(/running/).textContent).toBe('running · 30.0 s')
  rerender(<ChainStepStatus step={{ ...step, retries: 1 }} />)
  expect(screen.getByText(/running/).textContent).toBe('running · try 2 · 30.0 s')
})

test('a step that waits for a rate limit says whose, and how long yet', () => {
  const waitsFor = { vendor: 'Anthropic', isOverload: false, until: '2026-11-02T10:00:42.000Z' }
  const { rerender } = render(<ChainStepStatus step={{ ...running, waitsFor }} />)
  expect(screen.getByText(/waiting for/).textContent).toBe('waiting for Anthropic · 12 s')
  rerender(
    <ChainStepStatus step={{ ...running, waitsFor: { ...waitsFor, until: '2026-11-02T10:00:00.000Z' } }} />,
  )
  expect(screen.getByText(/waiting for/).textContent).toBe('waiting for Anthropic')
})

test('a completed step says whether its answer was cut', () => {
  const completed = { ...running, status: 'completed', durationMs: 1200 } as const
  const { rerender } = render(<ChainStepStatus step={{ ...completed, finishReason: 'stop' }} />)
  expect(screen.getByText(/done/).textContent).toBe('done · 1.2 s')
  rerender(<ChainStepStatus step={{ ...completed, finishReason: 'length' }} />)
  expect(screen.getByText(/cut/).textContent).toBe('cut at the token limit · 1.2 s')
})

test('where nobody knows the start it counts from when it is first shown; no clock goes backwards', () => {
  const { unmount } = render(<ChainStepStatus step={running} />)
  expect(screen.getByText(/running/).textContent).toBe('running · 0.0 s')
  unmount()
  render(<ChainStepStatus step={{ ...running, startedAt: '2026-11-02T10:01:00.000Z' }} />)
  expect(screen.getByText(/running/).textContent).toBe('running · 0.0 s')
})
