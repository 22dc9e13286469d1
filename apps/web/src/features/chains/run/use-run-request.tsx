import type { AskedSend, Chain, ExecuteChainRequest } from '@catenary/contracts'
import { type ChainWarning, type CheckedStep, takesInput } from '@catenary/domain'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useSession } from '../../../lib/session/session.tsx'
import { sendsQuery } from '../../fills/sends.queries.ts'
import { useMediaVariables } from '../../variables/media-variables.ts'
import { useOwnPrivateNames } from '../../variables/own-private-names.ts'
import type { WaysOutOf } from '../warning-text.tsx'
import { ChainRunDialog } from './chain-run-dialog.tsx'
import { type ChainRunning, isBusy } from './use-chain-run.ts'

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

export function useRunRequest({ chain, steps, warnings, waysOut, running }: RunRequestOptions) {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<{ input: string; sends: readonly AskedSend[] } | null>(null)
  const hasInput = takesInput(steps)
  const media = useMediaVariables(steps.map(({ content }) => content).join('\n'))
  const fills = useOwnPrivateNames(useOthersNames(chain))
  const asksPeople = chain.steps.some(({ kind }) => kind === 'ask')
  const owner = { userId: user?.id ?? 0, chainId: chain.id }
  const run = (request: ExecuteChainRequest) => {
    setAsked(null)
    if (request.input !== undefined) keepLastInput({ ...owner, input: request.input })
    running.start(request, () =>
      withSends((sends) => setAsked({ input: request.input ?? '', sends }), { isRefused: true }),
    )
  }
  /** Without an answer the form asks nothing of it, and what may not leave is refused. */
  const withSends = (show: (sends: readonly AskedSend[]) => void, { isRefused = false } = {}) => {
    if (!asksPeople && !isRefused) show([])
    else void queryClient.fetchQuery(sendsQuery(chain.id)).then(show, () => show([]))
  }
  return {
    ask: (input = readLastInput(owner)) => {
      if (isBusy(running)) return
      withSends((sends) => {
        const isAsked = hasInput || [media, fills, warnings, sends].some(({ length }) => length > 0)
        if (isAsked) setAsked({ input, sends })
        else run({})
      })
    },
    dialog: asked && (
      <ChainRunDialog
        warnings={warnings}
        waysOut={waysOut}
        media={media}
        fills={fills}
        sends={asked.sends}
        input={hasInput ? asked.input : null}
        onRun={run}
        onClose={() => setAsked(null)}
      />
    ),
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
