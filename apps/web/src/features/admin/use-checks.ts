import type { SystemCheck, SystemCheckResult } from '@catenary/contracts'
import { useCallback, useEffect, useState } from 'react'
import { errorMessage } from '../../lib/errors.ts'
import { runCheck } from './admin.queries.ts'
import { checkBrowserStorage } from './check-browser-storage.ts'

const BROWSER_STORAGE: SystemCheck = { name: 'browser-storage', title: 'Browser storage' }

export interface CheckState extends SystemCheck {
  /** `null` while it waits for the checks before it. */
  result: SystemCheckResult | 'running' | null
}

/** Runs the server's checks and the browser's own in turn, at once and whenever asked. */
export function useChecks(serverChecks: SystemCheck[]) {
  const checks = [...serverChecks, BROWSER_STORAGE]
  const [results, setResults] = useState<Record<string, CheckState['result']>>({})
  const [round, setRound] = useState(1)
  const [finishedRound, setFinishedRound] = useState(0)
  const names = checks.map(({ name }) => name).join()

  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const runAll = async () => {
      setResults({})
      for (const name of names.split(',')) {
        setResults((before) => ({ ...before, [name]: 'running' }))
        const result = await runOne({ name, signal })
        if (signal.aborted) return
        setResults((before) => ({ ...before, [name]: result }))
      }
      setFinishedRound(round)
    }
    void runAll()
    return () => stop.abort()
  }, [names, round])

  return {
    checks: checks.map((check): CheckState => ({ ...check, result: results[check.name] ?? null })),
    isRunning: finishedRound !== round,
    runAgain: useCallback(() => setRound((before) => before + 1), []),
  }
}

async function runOne({ name, signal }: { name: string; signal: AbortSignal }): Promise<SystemCheckResult> {
  const startedAt = performance.now()
  try {
    return await (name === BROWSER_STORAGE.name ? checkBrowserStorage() : runCheck({ name, signal }))
  } catch (error) {
    const ms = Math.round(performance.now() - startedAt)
    return { name, status: 'failed', message: errorMessage(error), ms }
  }
}
