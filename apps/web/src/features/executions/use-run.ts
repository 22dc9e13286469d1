import type { ExecutePromptReply, ExecutePromptRequest, ModelAlias } from '@catenary/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isAbort } from '../../lib/errors.ts'
import { refusedFields } from '../../lib/form-failure.ts'
import { executePrompt, historyKey } from './executions.queries.ts'
import { NO_RUN, type Run } from './run.ts'
import { ConnectionLostError, failureOf, RunFailedError, type RunFailure } from './run-failure.ts'

/** The answer is drawn this often while it is written; each piece by itself would cost more than it shows. */
const DRAW_MS = 60

interface StartRun {
  request: ExecutePromptRequest
  model: ModelAlias
  inputTokens: number
  missing: readonly string[]
  /** The earlier run whose inputs these are. */
  repeats: number | null
}

export interface UseRun {
  run: Run
  start: (run: StartRun) => Promise<void>
  /** Ends the run; what was written stays. */
  stop: () => void
}

/** Runs a prompt, one at a time; leaving the page stops it. */
export function useRun({
  promptId,
  onFailure,
}: {
  promptId: number
  onFailure: (failure: RunFailure) => void
}): UseRun {
  const queryClient = useQueryClient()
  const [run, setRun] = useState<Run>(NO_RUN)
  const current = useRef<AbortController>(null)
  useEffect(() => () => current.current?.abort(), [])

  const stop = useCallback(() => current.current?.abort(), [])

  const start = async ({ request, ...known }: StartRun) => {
    if (current.current) return
    const abort = new AbortController()
    current.current = abort
    setRun({ ...NO_RUN, ...known, phase: 'writing', startedAt: Date.now() })
    const answer = throttledText((text) => setRun((run) => ({ ...run, text })))
    const end = (ending: Pick<Run, 'phase'> & Partial<Run>) => {
      answer.cancel()
      setRun((run) => ({ ...run, text: answer.text(), endedAt: Date.now(), ...ending }))
    }
    try {
      const reply = await follow({ request, signal: abort.signal, onText: answer.append })
      end({ phase: 'done', reply, text: reply.result })
    } catch (error) {
      if (isAbort(error)) end({ phase: 'stopped' })
      else {
        const failure = failureOf(error)
        // A list of allowed values may have changed meanwhile: its field then says what is wrong.
        if (refusedFields(error).length > 0) void queryClient.invalidateQueries({ queryKey: ['variables'] })
        end({ phase: 'failed', failure })
        onFailure(failure)
      }
    } finally {
      current.current = null
      void queryClient.invalidateQueries({ queryKey: historyKey(promptId) })
    }
  }
  return { run, start, stop }
}

async function follow({
  request,
  signal,
  onText,
}: {
  request: ExecutePromptRequest
  signal: AbortSignal
  onText: (text: string) => void
}): Promise<ExecutePromptReply> {
  for await (const message of executePrompt({ request, signal })) {
    if (message.event === 'delta') onText(message.data.text)
    if (message.event === 'error') throw new RunFailedError(message.data.error)
    if (message.event === 'done') return message.data
  }
  throw new ConnectionLostError()
}

/** Collects a text and draws it at most every `DRAW_MS`. */
function throttledText(draw: (text: string) => void) {
  let text = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    text: () => text,
    append(piece: string) {
      text += piece
      timer ??= setTimeout(() => {
        timer = undefined
        draw(text)
      }, DRAW_MS)
    },
    cancel: () => clearTimeout(timer),
  }
}
