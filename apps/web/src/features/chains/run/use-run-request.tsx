import type { Chain } from '@catenary/contracts'
import { type ChainWarning, type CheckedStep, takesInput } from '@catenary/domain'
import { useState } from 'react'
import { useSession } from '../../../lib/session/session.tsx'
import { keepLastInput, readLastInput } from './chain-last-input.ts'
import { ChainRunDialog } from './chain-run-dialog.tsx'
import type { ChainRunning } from './use-chain-run.ts'

export interface RunRequestOptions {
  chain: Chain
  steps: readonly CheckedStep[]
  warnings: readonly ChainWarning[]
  running: ChainRunning
}

/** Runs the chain at once, or asks first: for its input, or if something is worth another look. */
export function useRunRequest({ chain, steps, warnings, running }: RunRequestOptions) {
  const { user } = useSession()
  const [asked, setAsked] = useState<{ input: string } | null>(null)
  const hasInput = takesInput(steps)
  const owner = { userId: user?.id ?? 0, chainId: chain.id }
  const run = (input: string | null) => {
    setAsked(null)
    if (input !== null) keepLastInput({ ...owner, input })
    running.start(input)
  }
  return {
    ask: (input = readLastInput(owner)) => {
      if (running.phase !== 'idle') return
      if (hasInput || warnings.length > 0) setAsked({ input })
      else run(null)
    },
    dialog: asked && (
      <ChainRunDialog
        warnings={warnings}
        input={hasInput ? asked.input : null}
        onRun={run}
        onClose={() => setAsked(null)}
      />
    ),
  }
}
