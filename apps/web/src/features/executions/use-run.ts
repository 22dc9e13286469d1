import type { ExecutePromptReply, ExecutePromptRequest, ModelAlias } from '@catenary/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { NO_RUN, type Run } from '../../components/run/run.ts'
import {
  ConnectionLostError,
  failureOf,
  RunFailedError,
  type RunFailure,
} from '../../components/run/run-failure.ts'
import { isAbort } from '../../lib/errors.ts'
import { executePrompt, historyKey } from './executions.queries.ts'

/** The answer is drawn this often while it is written; each piece by itself would cost more than it shows. */
const DRAW_MS = 60

interface StartRun {
  request: ExecutePromptRequest
  model: ModelAlias
  inputTokens: number
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

  const start = async ({ request, model, inputTokens }: StartRun) => {
    if (current.current) return
    const abort = new AbortController()
    current.current = abort
    setRun({ ...NO_RUN, phase: 'writing', model, inputTokens, startedAt: Date.now() })
    const pen = drawNowAndThen((text) => setRun((run) => ({ ...run, text })))
    const end = (ending: Pick<Run, 'phase'> & Partial<Run>) => {
      pen.lift()
      setRun((run) => ({ ...run, text: pen.text(), endedAt: Date.now(), ...ending }))
    }
    try {
      const reply = await follow({ request, signal: abort.signal, write: pen.write })
      end({ phase: 'done', reply, text: reply.result })
    } catch (error) {
      if (isAbort(error)) end({ phase: 'stopped' })
      else {
        const failure = failureOf(error)
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
  write,
}: {
  request: ExecutePromptRequest
  signal: AbortSignal
  write: (text: string) => void
}): Promise<ExecutePromptReply> {
  for await (const message of executePrompt({ request, signal })) {
    if (message.event === 'delta') write(message.data.text)
    if (message.event === 'error') throw new RunFailedError(message.data.error)
    if (message.event === 'done') return message.data
  }
  throw new ConnectionLostError()
}

/** Collects a text and draws it at most every so often. */
function drawNowAndThen(draw: (text: string) => void) {
  let text = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    text: () => text,
    write(piece: string) {
      text += piece
      timer ??= setTimeout(() => {
        timer = undefined
        draw(text)
      }, DRAW_MS)
    },
    lift: () => clearTimeout(timer),
  }
}
