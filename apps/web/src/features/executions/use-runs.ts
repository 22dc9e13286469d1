import type { ExecutePromptReply, ExecutePromptRequest, ModelAlias } from '@catenary/contracts'
import type { ModelPrice } from '@catenary/domain'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isAbort } from '../../lib/errors.ts'
import { refusedFields } from '../../lib/form-failure.ts'
import { executePrompt, historyKey } from './executions.queries.ts'
import { NO_RUN, type Run } from './run.ts'
import { ConnectionLostError, failureOf, RunFailedError, type RunFailure } from './run-failure.ts'

/** The answers are drawn this often while they are written, all at once; each piece by itself would cost more than it shows. */
const DRAW_MS = 60

export interface StartRun {
  request: ExecutePromptRequest
  model: ModelAlias
  version: number
  inputTokens: number
  missing: readonly string[]
  /** The earlier run whose inputs these are. */
  repeats: number | null
}

export interface Runs {
  /** In the order in which they were asked for. */
  runs: readonly Run[]
  /** Begins these in place of what was there, unless one of that is under way. */
  start: (wanted: readonly StartRun[]) => void
  /** Begins one in the place of a run that has ended. */
  startAt: (place: number, wanted: StartRun) => void
  /** Ends all, or the one in that place; what was written stays. */
  stop: (place?: number) => void
}

/** Runs a prompt once or several times at once; leaving the page stops them. */
export function useRuns({
  promptId,
  onFailure,
}: {
  promptId: number
  /** Of a run that is alone: one among others tells it itself. */
  onFailure: (failure: RunFailure) => void
}): Runs {
  const queryClient = useQueryClient()
  const [runs, setRuns] = useState<readonly Run[]>([])
  const underWay = useRef(new Map<number, AbortController>())
  const { append, textAt, clearAt } = useDrawnTexts(setRuns)
  useEffect(() => {
    const streams = underWay.current
    return () => {
      for (const abort of streams.values()) abort.abort()
    }
  }, [])

  const changeAt = (place: number, change: Partial<Run>) =>
    setRuns((runs) => runs.map((run, index) => (index === place ? { ...run, ...change } : run)))

  const follow = async ({ request, place, isAlone }: { request: ExecutePromptRequest } & Placed) => {
    const abort = new AbortController()
    underWay.current.set(place, abort)
    clearAt(place)
    const end = (ending: Partial<Run>) =>
      changeAt(place, { text: textAt(place), endedAt: Date.now(), ...ending })
    try {
      const reply = await readAnswer({
        request,
        signal: abort.signal,
        onStart: (known) => changeAt(place, known),
        onText: (text) => append(place, text),
      })
      const { executionId, result } = reply
      end({ phase: 'done', reply, executionId, text: result })
    } catch (error) {
      if (isAbort(error)) end({ phase: 'stopped' })
      else {
        const failure = failureOf(error)
        // A list of allowed values may have changed meanwhile: its field then says what is wrong.
        if (refusedFields(error).length > 0) void queryClient.invalidateQueries({ queryKey: ['variables'] })
        end({ phase: 'failed', failure })
        if (isAlone) onFailure(failure)
      }
    } finally {
      underWay.current.delete(place)
      void queryClient.invalidateQueries({ queryKey: historyKey(promptId) })
    }
  }
  return {
    runs,
    start(wanted) {
      if (underWay.current.size > 0) return
      setRuns(wanted.map(beginningOf))
      for (const [place, { request }] of wanted.entries())
        void follow({ request, place, isAlone: wanted.length === 1 })
    },
    startAt(place, wanted) {
      if (underWay.current.has(place)) return
      changeAt(place, beginningOf(wanted))
      void follow({ request: wanted.request, place, isAlone: false })
    },
    stop(place) {
      for (const [at, abort] of underWay.current) if (place === undefined || place === at) abort.abort()
    },
  }
}

interface Placed {
  place: number
  isAlone: boolean
}

function beginningOf(wanted: StartRun): Run {
  return { ...NO_RUN, ...wanted, phase: 'writing', startedAt: Date.now() }
}

async function readAnswer({
  request,
  signal,
  onStart,
  onText,
}: {
  request: ExecutePromptRequest
  signal: AbortSignal
  onStart: (known: { executionId: number; price: ModelPrice | null }) => void
  onText: (text: string) => void
}): Promise<ExecutePromptReply> {
  for await (const message of executePrompt({ request, signal })) {
    if (message.event === 'start') onStart({ price: null, ...message.data })
    if (message.event === 'delta') onText(message.data.text)
    if (message.event === 'error') throw new RunFailedError(message.data.error)
    if (message.event === 'done') return message.data
  }
  throw new ConnectionLostError()
}

/** Collects the texts of all runs and draws what is new of them together, at most every `DRAW_MS`. */
function useDrawnTexts(setRuns: (change: (runs: readonly Run[]) => readonly Run[]) => void) {
  const texts = useRef<string[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const textAt = (place: number) => texts.current[place] ?? ''
  const draw = () => {
    timer.current = undefined
    setRuns((runs) =>
      runs.map((run, place) =>
        run.phase === 'writing' && run.text !== textAt(place) ? { ...run, text: textAt(place) } : run,
      ),
    )
  }
  return {
    textAt,
    append(place: number, piece: string) {
      texts.current[place] = textAt(place) + piece
      timer.current ??= setTimeout(draw, DRAW_MS)
    },
    clearAt(place: number) {
      texts.current[place] = ''
    },
  }
}
