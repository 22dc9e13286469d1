import type { SystemCheck, SystemCheckResult } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import {
  CircleCheckIcon,
  CircleDashedIcon,
  CircleMinusIcon,
  CircleXIcon,
  type LucideIcon,
} from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { Spinner } from '../../components/ui/spinner.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { cn } from '../../lib/utils.ts'
import { checksQuery, runCheck } from './admin.queries.ts'
import { checkBrowserStorage } from './check-browser-storage.ts'

const BROWSER_STORAGE: SystemCheck = { name: 'browser-storage', title: 'Browser storage' }

const STATUS: Record<SystemCheckResult['status'], { label?: string; Icon: LucideIcon; color: string }> = {
  ok: { label: 'OK', Icon: CircleCheckIcon, color: 'text-ok' },
  failed: { label: 'Failed', Icon: CircleXIcon, color: 'text-danger' },
  // The check's own message says so.
  off: { Icon: CircleMinusIcon, color: 'text-text-3' },
}

export function ChecksPanel() {
  const { data, error, refetch } = useQuery(checksQuery)
  if (error)
    return <ErrorState title="The checks could not be loaded" error={error} onRetry={() => void refetch()} />
  return data ? <Checks serverChecks={data} /> : <Skeleton className="h-80" />
}

function Checks({ serverChecks }: { serverChecks: SystemCheck[] }) {
  const { checks, isRunning, runAgain } = useChecks(serverChecks)
  return (
    <section aria-labelledby="checks" className="grid gap-3">
      <div className="flex items-end justify-between gap-3">
        <div>
          <h2 id="checks" className="text-md font-semibold">
            Live checks
          </h2>
          <p role="status" className="text-sm text-text-2">
            {isRunning ? 'Running…' : summary(checks)}
          </p>
        </div>
        <Button variant="secondary" pending={isRunning} onClick={runAgain}>
          Run again
        </Button>
      </div>
      <ul aria-label="Checks" className="divide-y divide-line rounded-card border border-line">
        {checks.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
    </section>
  )
}

function CheckRow({ check: { title, result } }: { check: CheckState }) {
  const done = result === 'running' ? null : result
  const { label, Icon, color } = done
    ? STATUS[done.status]
    : { label: result === 'running' ? 'Running' : 'Waiting', Icon: CircleDashedIcon, color: 'text-text-3' }
  return (
    <li className="grid grid-cols-[auto_11rem_1fr_auto] items-baseline gap-x-3 px-3.5 py-2.5 text-sm max-md:grid-cols-[auto_1fr_auto]">
      <span className={cn('flex h-lh items-center self-start', color)}>
        {result === 'running' ? <Spinner /> : <Icon className="size-4" />}
      </span>
      <h3 className="font-medium tracking-normal">{title}</h3>
      <p className="min-w-0 text-text-2 wrap-anywhere max-md:order-last max-md:col-span-2 max-md:col-start-2">
        {label && (
          <span className={cn(done ? color : 'text-text-3', done?.status === 'ok' && 'sr-only')}>
            {label}
            {done ? ': ' : ''}
          </span>
        )}
        {done?.message}
      </p>
      <span className="text-text-3">{done && (done.ms < 1 ? '<1 ms' : `${done.ms} ms`)}</span>
    </li>
  )
}

function summary(checks: CheckState[]): string {
  const count = (status: SystemCheckResult['status']) =>
    checks.filter(({ result }) => result !== null && result !== 'running' && result.status === status).length
  const parts = [`${count('ok')} ok`]
  if (count('failed') > 0) parts.push(`${count('failed')} failed`)
  if (count('off') > 0) parts.push(`${count('off')} not set up`)
  return `${checks.length} checks: ${parts.join(', ')}`
}

interface CheckState extends SystemCheck {
  /** `null` while it waits for the checks before it. */
  result: SystemCheckResult | 'running' | null
}

function useChecks(serverChecks: SystemCheck[]) {
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
