import {
  type AskedSend,
  type Chain,
  type ExecuteChainRequest,
  hasSealedPart,
  KIND_OF_STEP,
} from '@catenary/contracts'
import { type ChainWarning, type CheckedStep, takesInput } from '@catenary/domain'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useSession } from '../../../lib/session/session.tsx'
import { sendsQuery } from '../../fills/sends.queries.ts'
import { type MediaVariable, useMediaVariables } from '../../variables/media-variables.ts'
import { useOwnPrivateNames } from '../../variables/own-private-names.ts'
import type { WaysOutOf } from '../warning-text.tsx'
import type { RunFrom, StartFrom } from './chain-run.ts'
import { ChainRunDialog } from './chain-run-dialog.tsx'
import { type ChainRunning, isBusy } from './use-chain-run.ts'

interface AskedRun {
  /** What stands in its field at first. */
  input: string
  sends: readonly AskedSend[]
  from: RunFrom | undefined
}

export interface RunRequestOptions {
  chain: Chain
  steps: readonly CheckedStep[]
  warnings: readonly ChainWarning[]
  waysOut: WaysOutOf
  running: ChainRunning
}

function useOthersNames({ steps }: Chain): string[] {
  return useMemo(() => steps.flatMap(({ othersNames = [] }) => othersNames), [steps])
}

export interface RunRequest {
  ask: (input?: string) => void
  /** Starts with what an earlier run has of the steps before; undefined: the person may not. */
  askFrom: StartFrom | undefined
  dialog: ReactNode
}

export function useRunRequest(options: RunRequestOptions): RunRequest {
  const { chain, steps, warnings, waysOut, running } = options
  const { user } = useSession()
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<AskedRun | null>(null)
  const media = useMediaVariables(steps.map(({ content }) => content).join('\n'))
  const fills = useOwnPrivateNames(useOthersNames(chain))
  const owner = { userId: user?.id ?? 0, chainId: chain.id }
  /** Without an answer the form asks nothing of it, and what may not leave is refused. */
  const withSends = (from: RunFrom | undefined, show: (sends: AskedSend[]) => void) =>
    void queryClient.fetchQuery(sendsQuery(chain.id, from?.executionId)).then(show, () => show([]))
  const show = (input: string, from: RunFrom | undefined, { isRefused = false } = {}) => {
    const first = from?.position ?? 0
    const asks = asksOf({ chain, steps, media, fills, warnings }, from)
    const decide = (all: readonly AskedSend[]) => {
      const sends = all.filter(({ position }) => position >= first)
      const isAsked = asks.takesInput || [asks.media, asks.fills, asks.warnings, sends].some(isFilled)
      if (isAsked || isRefused) setAsked({ input, sends, from })
      else run(from ? { from } : {})
    }
    if (asks.acts || isRefused) withSends(from, decide)
    else decide([])
  }
  const run = (request: ExecuteChainRequest) => {
    setAsked(null)
    if (request.input !== undefined) keepLastInput({ ...owner, input: request.input })
    running.start(request, () => show(request.input ?? '', request.from, { isRefused: true }))
  }
  const askFrom = (from: RunFrom) => {
    if (!isBusy(running)) show('', from)
  }
  // As it is by now: a variable that was missing can be created from the form.
  const asks = asksOf({ chain, steps, media, fills, warnings }, asked?.from)
  return {
    ask: (input = readLastInput(owner)) => {
      if (!isBusy(running)) show(input, undefined)
    },
    askFrom: chain.canExecute ? askFrom : undefined,
    dialog: asked && (
      <ChainRunDialog
        {...asks}
        {...asked}
        actsAs={
          chain.owner !== user?.username && chain.steps.some(({ tool }) => hasSealedPart(tool))
            ? chain.owner
            : undefined
        }
        waysOut={waysOut}
        input={asks.takesInput ? asked.input : null}
        onRun={run}
        onClose={() => setAsked(null)}
      />
    ),
  }
}

const isFilled = ({ length }: readonly unknown[]): boolean => length > 0

interface Asks {
  takesInput: boolean
  /** A step takes values to others than models. */
  acts: boolean
  media: readonly MediaVariable[]
  fills: readonly string[]
  warnings: readonly ChainWarning[]
}

interface WholeRun extends Pick<Asks, 'media' | 'fills' | 'warnings'> {
  chain: Chain
  steps: readonly CheckedStep[]
}

/** What is asked of the person; a run that begins at a later step has the input and the values of the earlier one. */
function asksOf({ chain, steps, media, fills, warnings }: WholeRun, from: RunFrom | undefined): Asks {
  const first = from?.position ?? 0
  const left = chain.steps.slice(first)
  const makerOf = (name: string | null) => chain.steps.findIndex((step) => step.outputVariableName === name)
  // What a step before gave, or that it was skipped, is known from the earlier run.
  const isKnown = ({ kind, name }: ChainWarning) => kind === 'may-be-empty' && makerOf(name) < first
  const others = new Set(left.flatMap(({ othersNames = [] }) => othersNames))
  return {
    takesInput: !from && takesInput(steps),
    acts: left.some(({ kind = 'prompt' }) => KIND_OF_STEP[kind].acts !== undefined),
    media: from ? [] : media,
    fills: fills.filter((name) => others.has(name)),
    warnings: warnings.filter((warning) => (warning.step ?? first) >= first && !isKnown(warning)),
  }
}

const PREFIX = 'catenary.chain-input.'

interface InputOwner {
  userId: number
  chainId: number
}

function readLastInput({ userId, chainId }: InputOwner): string {
  try {
    return localStorage.getItem(`${PREFIX}${userId}.${chainId}`) ?? ''
  } catch {
    return ''
  }
}

function keepLastInput({ userId, chainId, input }: InputOwner & { input: string }): void {
  try {
    localStorage.setItem(`${PREFIX}${userId}.${chainId}`, input)
  } catch {
    // No room, or storage is refused: the field begins empty next time.
  }
}
