import type { Chain, ExecuteChainRequest, RunState, SeenChainRun, SeenRunState } from '@catenary/contracts'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../../../lib/errors.ts'
import { useOpenItem } from '../../../lib/open-item.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { toast, toastFailure } from '../../../lib/toast.ts'
import { refreshAsks } from '../../asks/asks.queries.ts'
import { destinationsOf } from '../../fills/destinations.ts'
import { privateNamesOf } from '../../variables/private-refusal.ts'
import { chainQuery } from '../chains.queries.ts'
import { type ChainRun, runOf } from './chain-run.ts'
import { followRun } from './chain-run-follower.ts'
import { ChainRunTexts } from './chain-run-texts.ts'
import {
  chainHistoryQuery,
  type ResumedRun,
  refreshHistory,
  runQuery,
  useCancelRun,
  useExecuteChain,
  useResumeRun,
  useRetryItems,
} from './chain-runs.queries.ts'

export interface ChainRunning {
  run: ChainRun | null
  texts: ChainRunTexts
  /** waiting: for a person, perhaps for days, so another run may be started beside it. */
  phase: 'idle' | 'starting' | 'executing' | 'waiting'
  resultId: number | null
  /** When the newest run began that has a result, as far as that is known. */
  newestResultAt: string | null
  /** What is refused because private values would go where nobody allowed it yet is left to the caller. */
  start: (request: ExecuteChainRequest, onWouldLeave?: () => void) => void
  stop: () => void
  isStopping: boolean
  resume: (id: number, model?: string) => void
  /** Resumes a run that stopped before its private values went somewhere, and lets them go there. */
  allow: (id: number, sends: readonly string[]) => void
  /** Runs the items of a step again that failed. */
  retryItems: (id: number, position: number) => void
  isResuming: boolean
  hasNone: boolean
  /** Whether it is known which run is shown, or can't be known for now. */
  isShownKnown: boolean
  offered: SeenChainRun | null
  showOffered: () => void
  close: () => void
  followAgain: () => void
}

/** Whether another run has to wait for the shown one. */
export const isBusy = ({ phase }: Pick<ChainRunning, 'phase'>): boolean =>
  phase === 'starting' || phase === 'executing'

export function useChainRun(chain: Pick<Chain, 'id'>): ChainRunning {
  const queryClient = useQueryClient()
  const { user, status } = useSession()
  const address = useOpenItem('run')
  const [texts] = useState(() => new ChainRunTexts())
  // A resumed run is followed again from the start.
  const [begun, setBegun] = useState({ id: 0, turn: 0 })
  const [isFirstList, setIsFirstList] = useState(true)
  const [pinned, setPinned] = useState<number | null>(null)
  const [closed, setClosed] = useState<number | null>(null)
  const [lastState, setLastState] = useState<LastState>({ key: '', ...NO_STATE })
  const [isResultCleared, setIsResultCleared] = useState(false)
  const execute = useExecuteChain(chain.id)
  const cancel = useCancelRun()
  const history = useInfiniteQuery({ ...chainHistoryQuery(chain.id), enabled: user !== null })
  const newest = history.data?.pages[0] ?? []

  const underWay =
    newest.find(({ id, status, waitingFor }, place) => {
      // One that waits for a person may do so for days: later runs come before it.
      const isMoving = status === 'running' && (place === 0 || !waitingFor)
      return isMoving && id !== closed
    }) ?? null
  // A run found in the first list stays in view after it ended; a later one is offered.
  if (isFirstList && history.data) {
    setIsFirstList(false)
    if (underWay) setPinned(underWay.id)
  }
  // The person comes back to a run without a result, not to an older success.
  const broken = newest.slice(0, 1).find(({ id, status }) => BROKEN.has(status) && id !== closed)?.id ?? null
  const listed = pinned ?? broken
  const id = user === null ? null : address.open?.kind === 'open' ? address.open.id : listed
  const isOwn = id === begun.id
  const key = `${id}.${isOwn ? begun.turn : 0}`
  const known = lastState.key === key ? lastState : NO_STATE

  const { data: seen, isError, isPaused } = useQuery({ ...runQuery(id ?? 0), enabled: id !== null })
  const refresh = () => {
    if (id !== null) void queryClient.invalidateQueries({ queryKey: runQuery(id).queryKey })
    void refreshHistory({ chainId: chain.id, queryClient }).catch(() => undefined)
  }
  const close = () => {
    setClosed(id)
    setPinned(null)
    address.show(null)
  }
  const onState = (state: SeenRunState) => {
    const isNews = isOwn || known.state?.status === 'running'
    setLastState({ key, state, isLost: false })
    const hasWaited = state.waitingFor?.askId !== known.state?.waitingFor?.askId
    if (hasWaited || hasEndedItems(known.state, state)) refresh()
    if (hasWaited) refreshAsks(queryClient)
    if (state.status === 'running') return
    setIsResultCleared(false)
    refresh()
    if (isNews && state.sight !== 'presence') toastEnd(state)
  }
  const onError = (error: unknown) => {
    setLastState({ key, state: known.state, isLost: true })
    toastFailure('Error checking execution status')(error)
    if (!(error instanceof ApiError && error.status === 404)) return
    close()
    // Perhaps the chain is no longer visible either.
    void queryClient.invalidateQueries({ queryKey: chainQuery(chain.id).queryKey })
  }
  useFollowedRun({ key, texts, onState, onError })

  const begin = (id: number) => {
    setBegun(({ turn }) => ({ id, turn: turn + 1 }))
    setPinned(id)
    address.show({ kind: 'open', id })
    void refreshHistory({ chainId: chain.id, queryClient }).catch(() => undefined)
  }
  const { resume, allow, retryItems, isResuming, withRefused } = useGoingOn(begin)
  const isElsewhere = seen !== undefined && seen.chainId !== chain.id
  const shown = id === null || isElsewhere ? null : runOf({ id, seen, hasNoDetails: isError, ...known })
  const run = shown && withRefused(shown)
  const isRunning = !known.isLost && (known.state === null ? isOwn : known.state.status === 'running')
  const start = (request: ExecuteChainRequest, onWouldLeave?: () => void) =>
    execute.mutate(request, {
      onSuccess: (started) => {
        if (started?.id === undefined) {
          toast({ title: 'Error executing chain', description: NO_ID, variant: 'destructive' })
          return
        }
        toastStart(`Execution #${started.id} is running.`)
        begin(started.id)
      },
      onError: (error) => {
        setIsResultCleared(true)
        if (onWouldLeave && destinationsOf(error) !== null) return onWouldLeave()
        toastRefusal({
          error,
          ...STARTING,
          onAllow: (names) => start(allowing(request, names), onWouldLeave),
        })
      },
    })
  const completed = newest.find(({ status }) => status === 'completed') ?? null
  const isHistoryKnown = status === 'anonymous' || status === 'away' || !history.isPending
  return {
    run,
    texts,
    phase: execute.isPending ? 'starting' : run && isRunning ? phaseOf(run) : 'idle',
    resultId: isResultCleared ? null : run?.status === 'completed' ? run.id : (completed?.id ?? null),
    newestResultAt: completed?.executedAt ?? null,
    start,
    stop: () => id !== null && cancel.mutate(id, { onError: toastFailure('Failed to stop chain') }),
    isStopping: cancel.isPending,
    resume,
    allow,
    retryItems,
    isResuming,
    offered:
      underWay && !underWay.waitingFor && underWay.id !== id && underWay.id !== begun.id && !isFirstList
        ? underWay
        : null,
    showOffered: () => {
      if (!underWay) return
      setPinned(underWay.id)
      address.show({ kind: 'open', id: underWay.id })
    },
    hasNone: history.data !== undefined && newest.length === 0,
    isShownKnown:
      history.isPaused || isPaused || (isHistoryKnown && (id === null || seen !== undefined || isError)),
    close,
    followAgain: () => id !== null && begin(id),
  }
}

/**
 * An ended run goes on: where it stopped, or with the items of a step that failed. Where that would carry private values
 * to people whom nobody allowed, the run says to whom.
 */
function useGoingOn(begin: (id: number) => void) {
  const queryClient = useQueryClient()
  const [refused, setRefused] = useState<{ id: number; destinations: readonly string[] }>(NOTHING_REFUSED)
  const resumed = useResumeRun()
  const retried = useRetryItems()
  const onSuccess = (_: unknown, { id }: { id: number }) => {
    toastStart(`Execution #${id} continues.`)
    void queryClient.invalidateQueries({ queryKey: runQuery(id).queryKey })
    setRefused(NOTHING_REFUSED)
    begin(id)
  }
  const onRefusal = ({ id, ...refusal }: Refusal & { id: number }) => {
    const destinations = destinationsOf(refusal.error)
    setRefused({ id, destinations: destinations ?? [] })
    if (destinations === null) toastRefusal(refusal)
  }
  const goOn = (run: ResumedRun) =>
    resumed.mutate(run, {
      onSuccess,
      onError: (error) => {
        const onAllow = (names: string[]) => goOn({ ...run, fills: [...(run.fills ?? []), ...names] })
        onRefusal({ id: run.id, error, ...RESUMING, onAllow })
      },
    })
  const retryItems = (id: number, position: number, fills?: string[]) =>
    retried.mutate(
      { id, position, fills },
      {
        onSuccess,
        onError: (error) => {
          const onAllow = (names: string[]) => retryItems(id, position, [...(fills ?? []), ...names])
          onRefusal({ id, error, ...RETRYING, onAllow })
        },
      },
    )
  return {
    resume: (id: number, model?: string) => goOn({ id, model }),
    allow: (id: number, sends: readonly string[]) => goOn({ id, sends }),
    retryItems,
    isResuming: resumed.isPending || retried.isPending,
    withRefused: (run: ChainRun): ChainRun =>
      refused.id === run.id && refused.destinations.length > 0
        ? { ...run, wouldLeave: refused.destinations }
        : run,
  }
}

/** Follows the run that `key` begins with, anew with each key; a key without a run's id follows none. */
function useFollowedRun(followed: {
  key: string
  texts: ChainRunTexts
  onState: (state: SeenRunState) => void
  onError: (error: unknown) => void
}): void {
  const { key, texts } = followed
  const onState = useEffectEvent(followed.onState)
  const onError = useEffectEvent(followed.onError)
  useEffect(() => {
    texts.clear()
    const id = Number.parseInt(key, 10)
    if (Number.isNaN(id)) return
    return followRun({
      id,
      texts,
      onState: (state) => onState(state),
      onError: (error) => onError(error),
    })
  }, [key, texts])
}

const phaseOf = ({ waitingFor }: ChainRun) => (waitingFor === undefined ? 'executing' : 'waiting')

interface LastState {
  key: string
  state: SeenRunState | null
  isLost: boolean
}

/** A step went through its items: how many failed is known of the whole run alone from then on. */
function hasEndedItems(before: SeenRunState | null, after: SeenRunState): boolean {
  const wasAt = before?.steps?.find(({ itemCounts }) => itemCounts !== undefined)?.position
  return wasAt !== undefined && after.steps?.[wasAt]?.itemCounts === undefined
}

const BROKEN: ReadonlySet<SeenRunState['status']> = new Set(['failed', 'cancelled'])
const NOTHING_REFUSED = { id: 0, destinations: [] }
const NO_STATE = { state: null, isLost: false }
const NO_ID = 'No execution ID was returned from the server'

/** The page itself says it to those who listen. */
function toastStart(description: string): void {
  toast({ title: 'Chain execution started', description, isSilent: true })
}

const STARTING = { title: 'Failed to run chain', label: 'Allow and execute' }
const RETRYING = { title: 'Failed to retry the items', label: 'Allow and retry' }
const RESUMING = { title: 'Failed to resume chain', label: 'Allow and resume' }

const allowing = (request: ExecuteChainRequest, names: readonly string[]): ExecuteChainRequest => ({
  ...request,
  fills: [...(request.fills ?? []), ...names],
})

/** A private name that came into the chain after its form was shown can be allowed in one press. */
function toastRefusal({ error, title, label, onAllow }: Refusal): void {
  const names = privateNamesOf(error)
  if (names === null) {
    toastFailure(title)(error)
    return
  }
  toast({
    title: `Yours, private: ${names.join(', ')}`,
    description: 'You didn’t add this to the chain. Nothing runs until you allow it.',
    action: { label, onPress: () => onAllow(names) },
  })
}

interface Refusal {
  error: unknown
  title: string
  label: string
  onAllow: (names: string[]) => void
}

function toastEnd({ id, status, steps }: RunState): void {
  if (status === 'completed') {
    toast({ title: 'Chain executed', description: doneText(steps) })
  }
  if (status === 'failed') {
    // The reason is shown at the step.
    const step = steps.findIndex((step) => step.status === 'failed')
    const description =
      step === -1 ? `Execution #${id} failed.` : `Step ${step + 1} failed. Open it to see why.`
    toast({ title: 'Chain execution failed', description, variant: 'destructive' })
  }
  if (status === 'cancelled') {
    const description = 'Completed steps are kept. You can resume the run.'
    toast({ title: 'Chain execution stopped', description })
  }
}

function doneText(steps: RunState['steps']): string {
  const ran = steps.filter(({ status }) => status === 'completed').length
  if (ran < steps.length) return `${ran} of ${steps.length} steps ran.`
  return `${steps.length === 1 ? 'Its step is' : `All ${steps.length} steps are`} done.`
}
