import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { makeRunState } from '../testing/make-run.ts'
import type { ChainRun } from './chain-run.ts'
import { ChainRunTexts } from './chain-run-texts.ts'
import { ChainStepDetail } from './chain-step-detail.tsx'
import type { ChainRunning } from './use-chain-run.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('until its first word a running step says that it waits for the model, and for how long', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-02T10:00:25.000Z') })
  const texts = new ChainRunTexts()
  const [first, last] = makeRunState('running', 'running', 'waiting').steps
  if (first === undefined || last === undefined) throw new Error('the run has two steps')
  const step = { ...first, startedAt: '2026-11-02T10:00:00.000Z' }
  const run = { id: 218, status: 'running', steps: [step, last] } as unknown as ChainRun
  render(
    <ChainStepDetail
      run={run}
      running={{ texts } as unknown as ChainRunning}
      step={step}
      onOpenModels={undefined}
      onRunFrom={undefined}
    />,
  )
  expect(screen.getByText(/^Waiting/).textContent).toBe('Waiting for the model · 25.0 s')
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(screen.getByText(/^Waiting/).textContent).toBe('Waiting for the model · 27.0 s')
  await act(async () => {
    texts.write({ position: 0, from: 0, text: 'At last' })
    await vi.advanceTimersByTimeAsync(200)
  })
  expect(screen.getByText('At last')).toBeTruthy()
  expect(screen.queryByText(/^Waiting/)).toBeNull()
})

test('what the last step writes is read at the end of the chain', async () => {
  const texts = new ChainRunTexts()
  texts.write({ position: 0, from: 0, text: 'At last' })
  const [step] = makeRunState('running', 'running').steps
  if (step === undefined) throw new Error('the run has a step')
  const run = { id: 218, status: 'running', steps: [step] } as unknown as ChainRun
  render(
    <ChainStepDetail
      run={run}
      running={{ texts } as unknown as ChainRunning}
      step={step}
      onOpenModels={undefined}
      onRunFrom={undefined}
    />,
  )
  expect(screen.getByRole('button', { name: 'Writing the answer' })).toBeTruthy()
  expect(screen.queryByText('At last')).toBeNull()
})
