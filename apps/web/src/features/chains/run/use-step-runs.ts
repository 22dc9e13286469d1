import type { Chain, StepState } from '@catenary/contracts'
import { useState } from 'react'
import { type ChainRun, mayRunFrom, positionsOf, type StartFrom } from './chain-run.ts'
import type { ChainRunning } from './use-chain-run.ts'

export interface StepRun {
  run: ChainRun
  running: ChainRunning
  state: StepState
  isOpen: boolean
  toggle: () => void
  onOpenModels: (() => void) | undefined
  /** Starts another run at this step with what this one has of those before it; undefined: it can’t. */
  onRunFrom: (() => void) | undefined
}

export function useStepRuns({
  chain: { steps },
  running,
  onOpenModels,
  onRunFrom,
}: {
  chain: Pick<Chain, 'steps'>
  running: ChainRunning
  onOpenModels: (() => void) | undefined
  onRunFrom: StartFrom | undefined
}): ReadonlyMap<number, StepRun> {
  const { run } = running
  // Completed steps whose texts are shown, as `run.position`.
  const [opened, setOpened] = useState<readonly string[]>([])
  if (!run) return new Map()
  const positions = positionsOf({ steps, run })
  const states = new Map(run.steps.map((state) => [state.position, state]))
  return new Map(
    steps.flatMap(({ id }, index) => {
      const state = states.get(positions[index] ?? -1)
      if (!state) return []
      const key = `${run.id}.${state.position}`
      const isOpen = opened.includes(key)
      const toggle = () => setOpened(isOpen ? opened.filter((other) => other !== key) : [...opened, key])
      const runFrom =
        onRunFrom && run.details && mayRunFrom({ steps, run, index })
          ? () => onRunFrom({ executionId: run.id, position: index })
          : undefined
      return [[id, { run, running, state, isOpen, toggle, onOpenModels, onRunFrom: runFrom }]]
    }),
  )
}
