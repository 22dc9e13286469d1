import type { Chain, ChainStep, StepState } from '@catenary/contracts'
import { checkChain, takesInput } from '@catenary/domain'
import { lazy, type ReactNode, useMemo, useState } from 'react'
import { DialogSuspense } from '../../../components/dialog-suspense.tsx'
import { PanelBoundary } from '../../../components/panel-boundary.tsx'
import { PHONE, useMediaQuery } from '../../../lib/media-query.ts'
import { useSession } from '../../../lib/session.tsx'
import type { ChainRunSlots } from '../chain-page.tsx'
import { stepsAsRun } from '../steps/step-as-run.ts'
import { ChainHistory } from './chain-history.tsx'
import { keepLastInput, readLastInput } from './chain-last-input.ts'
import { ChainResultCard } from './chain-result-card.tsx'
import { positionsOf } from './chain-run.ts'
import { ChainRunActions } from './chain-run-actions.tsx'
import { ChainRunAnnouncer } from './chain-run-announcer.tsx'
import { ChainRunBanner } from './chain-run-banner.tsx'
import { ChainRunCard } from './chain-run-card.tsx'
import { ChainRunDialog } from './chain-run-dialog.tsx'
import { ChainRunStrip } from './chain-run-progress.tsx'
import { ChainStepDetail } from './chain-step-detail.tsx'
import { ChainStepStatus, STEP_TONES } from './chain-step-status.tsx'
import { type ChainRunning, useChainRun } from './use-chain-run.ts'
import { useRunsInAddress } from './use-runs-in-address.ts'

const ChainComparison = lazy(() => import('./chain-comparison.tsx'))

export interface ChainRunOptions {
  chain: Chain
  /** Names of the variables that the person can see; undefined until known. */
  variables: readonly string[] | undefined
  onLostAccess: () => void
}

/** What running a chain puts on its page, and the dialogs that go with it. */
export function useChainRunSlots({ chain, variables, onLostAccess }: ChainRunOptions): {
  slots: ChainRunSlots
  dialogs: ReactNode
} {
  const { user } = useSession()
  const running = useChainRun({ chain, onLostAccess })
  const address = useRunsInAddress()
  const isPhone = useMediaQuery(PHONE)
  const request = useRunRequest({ chain, variables, running })
  const stepSlots = useStepSlots({ chain, running })
  const [first, second] = address.compared
  const compare = (id: number | null) => address.compare(id === null ? [] : [...address.compared, id])
  const { run, resultId } = running
  const aside = user && (run || resultId !== null || address.isHistoryOpen) && (
    <>
      {run && <ChainRunCard run={run} running={running} />}
      {resultId !== null && (
        <PanelBoundary title="The result">
          <ChainResultCard key={resultId} id={resultId} />
        </PanelBoundary>
      )}
      {address.isHistoryOpen && (
        <PanelBoundary title="The history">
          <ChainHistory
            chain={chain}
            running={running}
            compared={first ?? null}
            onCompare={compare}
            onRunAgain={request.ask}
          />
        </PanelBoundary>
      )}
    </>
  )
  return {
    slots: {
      ...stepSlots,
      headerActions: (
        <ChainRunActions
          running={running}
          obstacle={obstacleOf({ chain, isGuest: user === null })}
          isHistoryOpen={address.isHistoryOpen}
          onToggleHistory={user ? () => address.showHistory(!address.isHistoryOpen) : undefined}
          onExecute={() => request.ask()}
        />
      ),
      banner: (
        <>
          {running.phase === 'executing' && <ChainRunBanner chainId={chain.id} />}
          {run && isPhone && <ChainRunStrip run={run} />}
        </>
      ),
      aside,
    },
    dialogs: (
      <>
        <ChainRunAnnouncer run={run} texts={running.texts} steps={chain.steps} />
        {request.dialog}
        {user && first !== undefined && second !== undefined && (
          <DialogSuspense>
            <ChainComparison chainId={chain.id} ids={[first, second]} onClose={() => address.compare([])} />
          </DialogSuspense>
        )}
      </>
    ),
  }
}

/** What each step of the chain shows of the run in view. */
function useStepSlots({ chain, running }: { chain: Chain; running: ChainRunning }): ChainRunSlots {
  const { run, texts } = running
  // Completed steps whose texts are shown, as `run.position`.
  const [opened, setOpened] = useState<readonly string[]>([])
  if (!run) return {}
  const byPosition = new Map(run.steps.map((step) => [step.position, step]))
  const positions = positionsOf({ steps: chain.steps, run })
  const states = new Map<number, StepState | undefined>(
    chain.steps.map(({ id }, index) => [id, byPosition.get(positions[index] ?? -1)]),
  )
  const stateOf = ({ id }: ChainStep) => states.get(id)
  const keyOf = ({ position }: StepState) => `${run.id}.${position}`
  const toggle = (key: string) =>
    setOpened(opened.includes(key) ? opened.filter((other) => other !== key) : [...opened, key])
  return {
    stepTone: (step) => {
      const state = stateOf(step)
      return state && STEP_TONES[state.status]
    },
    stepStatus: (step) => {
      const state = stateOf(step)
      if (!state) return null
      const key = keyOf(state)
      return <ChainStepStatus step={state} isOpen={opened.includes(key)} onToggle={() => toggle(key)} />
    },
    stepDetail: (step) => {
      const state = stateOf(step)
      if (!state || state.status === 'waiting') return null
      if (state.status === 'completed' && !opened.includes(keyOf(state))) return null
      return (
        <ChainStepDetail
          key={`${run.id}.${state.status}`}
          run={run}
          step={state}
          texts={texts}
          onResume={() => running.resume(run.id)}
          isResuming={running.isResuming}
        />
      )
    },
  }
}

interface RunRequestOptions extends Pick<ChainRunOptions, 'chain' | 'variables'> {
  running: ChainRunning
}

/** Runs the chain at once, or asks first: for its input, and where something is worth another look. */
function useRunRequest({ chain, variables, running }: RunRequestOptions) {
  const { user } = useSession()
  const [asked, setAsked] = useState<{ input: string } | null>(null)
  const steps = useMemo(() => stepsAsRun(chain.steps), [chain.steps])
  const hasInput = takesInput(steps)
  const warnings = useMemo(
    () => checkChain({ steps, ...(variables ? { variables } : {}) }),
    [steps, variables],
  )
  const whose = { userId: user?.id ?? 0, chainId: chain.id }
  const run = (input: string | null) => {
    setAsked(null)
    if (input !== null) keepLastInput({ ...whose, input })
    running.start(input)
  }
  return {
    ask: (input = readLastInput(whose)) => {
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

function obstacleOf({ chain, isGuest }: { chain: Chain; isGuest: boolean }): string | null {
  if (isGuest) return 'Log in to execute this chain'
  if (!chain.canExecute) return "You don't have permission to execute this chain"
  return chain.steps.length === 0 ? 'Add a step first' : null
}
