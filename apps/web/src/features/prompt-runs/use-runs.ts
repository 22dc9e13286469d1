import type { ExecutePromptReply } from '@catenary/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isAbort, isNetworkFailure } from '../../lib/errors.ts'
import { refusedFields } from '../../lib/forms/form-failure.ts'
import { forgetRun, readStoredRuns, type StoredRun, storeRun } from './history/stored-runs.ts'
import { historyKey, stopRun } from './prompt-runs.queries.ts'
import { type AnswerReader, readAnswer, resumeAnswer } from './read-answer.ts'
import { NO_RUN, type Run, type StartRun } from './run.ts'
import { ConnectionLostError, failureOf, type RunFailure, RunStoppedError } from './run-failure.ts'

/** The answers are drawn this often while they are written, all at once; each piece by itself would cost more than it shows. */
const DRAW_MS = 60

export interface Runs {
  runs: readonly Run[]
  /** Starts these in place of the current ones, unless one of those is under way. */
  start: (wanted: readonly StartRun[]) => void
  startAt: (place: number, wanted: StartRun) => void
  /** Ends all, or the one in that place; what was written stays. */
  stop: (place?: number) => void
}

/** Runs a prompt once or several times at once; leaving the page stops them, reloading it goes on with them. */
export function useRuns({
  promptId,
  onFailure,
}: {
  promptId: number
  /** For a single run: runs in a comparison report it themselves. */
  onFailure: (failure: RunFailure) => void
}): Runs {
  const queryClient = useQueryClient()
  const [kept] = useState(() => readStoredRuns(promptId))
  const [runs, setRuns] = useState<readonly Run[]>(() => kept.map(keptAsRun))
  const underWay = useRef(new Map<number, UnderWay>())
  const { append, textAt, clearAt } = useDrawnTexts(setRuns)

  const changeAt = (place: number, change: Partial<Run>) =>
    setRuns((runs) => runs.map((run, index) => (index === place ? { ...run, ...change } : run)))

  const follow = async ({ place, isAlone, executionId = null, wanted, read }: Followed) => {
    const abort = new AbortController()
    const own: UnderWay = { abort, executionId, isStopped: false }
    underWay.current.set(place, own)
    clearAt(place)
    const end = (ending: Partial<Run>) => {
      changeAt(place, { text: textAt(place), endedAt: Date.now(), ...ending })
      if (own.executionId !== null) forgetRun({ promptId, executionId: own.executionId })
    }
    try {
      const reply = await read({
        signal: abort.signal,
        onStart: (known) => {
          own.executionId = known.executionId
          if (own.isStopped) return halt(own)
          if (wanted) storeRun({ promptId, run: { ...known, wanted, startedAt: Date.now() } })
          changeAt(place, known)
        },
        onWait: (waitsFor) => changeAt(place, { waitsFor }),
        onText: (text) => append(place, text),
        onAnew: () => clearAt(place),
      })
      const { executionId, result } = reply
      end({ phase: 'done', reply, executionId, text: result })
    } catch (error) {
      if (isAbort(error) || error instanceof RunStoppedError) end({ phase: 'stopped' })
      else {
        const failure = failureOf(error)
        // A list of allowed values may have changed meanwhile: its field then says what is wrong.
        if (refusedFields(error).length > 0) void queryClient.invalidateQueries({ queryKey: ['variables'] })
        // A reload after a broken connection finds the run again.
        const isOver = !isNetworkFailure(error) && !(error instanceof ConnectionLostError)
        if (isOver) end({ phase: 'failed', failure })
        else changeAt(place, { text: textAt(place), endedAt: Date.now(), phase: 'failed', failure })
        if (isAlone) onFailure(failure)
      }
    } finally {
      underWay.current.delete(place)
      void queryClient.invalidateQueries({ queryKey: historyKey(promptId) })
    }
  }
  const begin = ({ wanted, ...placed }: Placed & { wanted: StartRun }) =>
    void follow({ ...placed, wanted, read: (reader) => readAnswer({ ...reader, request: wanted.request }) })
  const goOn = useEffectEvent(() => {
    for (const [place, { executionId: id }] of kept.entries())
      void follow({
        place,
        isAlone: kept.length === 1,
        executionId: id,
        read: (reader) => resumeAnswer({ ...reader, promptId, id }),
      })
  })
  useEffect(() => {
    const streams = underWay.current
    const timer = setTimeout(() => goOn())
    return () => {
      clearTimeout(timer)
      for (const each of streams.values()) halt(each)
    }
  }, [])

  return {
    runs,
    start(wanted) {
      if (underWay.current.size > 0) return
      setRuns(wanted.map(beginningOf))
      for (const [place, each] of wanted.entries())
        begin({ place, isAlone: wanted.length === 1, wanted: each })
    },
    startAt(place, wanted) {
      if (underWay.current.has(place)) return
      changeAt(place, beginningOf(wanted))
      begin({ place, isAlone: false, wanted })
    },
    stop(place) {
      for (const [at, each] of underWay.current) if (place === undefined || place === at) halt(each)
    },
  }
}

interface UnderWay {
  abort: AbortController
  executionId: number | null
  isStopped: boolean
}

/** Stops a run; one without an id as soon as it has one. */
function halt(run: UnderWay): void {
  run.isStopped = true
  if (run.executionId === null) return
  // It may have ended by now; then there is nothing to stop.
  stopRun(run.executionId).catch(() => undefined)
  run.abort.abort()
}

interface Followed extends Placed {
  executionId?: number | null
  wanted?: StartRun
  read: (reader: AnswerReader) => Promise<ExecutePromptReply>
}

interface Placed {
  place: number
  isAlone: boolean
}

function keptAsRun({ executionId, wanted, startedAt }: StoredRun): Run {
  return { ...beginningOf(wanted), executionId, startedAt }
}

function beginningOf(wanted: StartRun): Run {
  return { ...NO_RUN, ...wanted, phase: 'writing', startedAt: Date.now() }
}

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
