import type { Chain, StepState } from '@catenary/contracts'
import { useState } from 'react'
import { type ChainRun, positionsOf } from './chain-run.ts'
import type { ChainRunning } from './use-chain-run.ts'

export interface StepRun {
  run: ChainRun
  running: ChainRunning
  state: StepState
  isOpen: boolean
  toggle: () => void
  onOpenModels: (() => void) | undefined
}

export function useStepRuns({
  steps,
  running,
  onOpenModels,
}: {
  steps: Chain['steps']
  running: ChainRunning
  onOpenModels: (() => void) | undefined
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
      return [[id, { run, running, state, isOpen, toggle, onOpenModels }]]
    }),
  )
}
