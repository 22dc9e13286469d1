import { cutText } from '@catenary/domain'
import { CircleAlertIcon, MoonIcon, PlayIcon, RotateCwIcon, SquareIcon, XIcon } from 'lucide-react'
import { Time } from '../../../components/time/time.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Hint } from '../../../components/ui/tooltip.tsx'
import { AccessNote } from '../../runs/access-note.tsx'
import { type ChainRun, cutStepsOf } from './chain-run.ts'
import { ChainRunMetrics } from './chain-run-metrics.tsx'
import { ChainRunProgress, presenceText, RunStatusBadge, startOf } from './chain-run-progress.tsx'
import { type ChainRunning, isBusy } from './use-chain-run.ts'

/** A line of it: an input may be a whole book. */
const INPUT_MAX = 200

export function ChainRunCard({
  run,
  running,
  onRunAgain,
}: {
  run: ChainRun
  running: ChainRunning
  onRunAgain: ((input: string) => void) | undefined
}) {
  const { id, status, steps, details, presence, error, isLost, sight, waitingFor } = run
  // It says by itself what happened, and offers to go on.
  const hasBrokenStep = steps.some((step) => step.status === 'failed' || step.status === 'cancelled')
  return (
    <section aria-label={`Execution #${id}`} className="rounded-card border border-line bg-surface">
      <header className="flex min-h-11 items-center gap-2 border-b border-line py-1 pr-3.5 pl-3.5">
        <h2 className="flex-1 text-sm font-semibold tracking-normal">Execution #{id}</h2>
        <RunStatusBadge status={status} waitingFor={waitingFor} cutSteps={cutStepsOf(steps)} />
        {status !== 'running' && (
          <Hint text="Hide this run">
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label="Hide this run"
              className="-mr-1.5"
              onClick={running.close}
            >
              <XIcon />
            </Button>
          </Hint>
        )}
      </header>
      <div className="grid gap-2 px-3.5 pt-3 pb-3">
        {status === 'completed' && details?.status === 'completed' ? (
          <ChainRunMetrics steps={details.steps} />
        ) : (
          <ChainRunProgress run={run} />
        )}
        {waitingFor && (
          <p className="flex gap-2 text-sm text-text-2">
            <MoonIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-text" />
            <span>
              <strong className="font-semibold text-text">Waiting costs nothing.</strong> The run outlives a
              restart, and goes on as soon as it is answered.
            </span>
          </p>
        )}
        {error && !hasBrokenStep && <p className="line-clamp-3 text-sm text-danger wrap-anywhere">{error}</p>}
        {details && (
          <p className="text-sm text-text-2">
            {startOf(details, sight === 'own' ? undefined : details.executedBy)} ·{' '}
            <Time time={details.executedAt} />
          </p>
        )}
        {details && details.input !== '' && (
          <p title={cutText(details.input, INPUT_MAX)} className="truncate text-sm text-text-3">
            Input{' '}
            <span dir="auto" className="ml-1 text-text-2">
              {cutText(details.input, INPUT_MAX)}
            </span>
          </p>
        )}
        {details && sight !== 'presence' && <AccessNote run={{ ...details, sight, status }} />}
        {presence && (
          <>
            <p className="text-sm text-text-2">
              {presenceText(presence)} · <Time time={presence.executedAt} />
            </p>
            <AccessNote run={presence} />
          </>
        )}
        {presence?.canStop && status === 'started' && (
          <Button
            size="sm"
            variant="secondary"
            className="justify-self-start"
            pending={running.isStopping}
            onClick={running.stop}
          >
            {!running.isStopping && <SquareIcon />}
            Stop
          </Button>
        )}
        {sight !== 'own' && details && onRunAgain && status !== 'running' && (
          <Button
            size="sm"
            variant="secondary"
            className="justify-self-start"
            disabled={isBusy(running)}
            onClick={() => onRunAgain(details.input)}
          >
            <PlayIcon />
            Run again as me
          </Button>
        )}
        {run.hasNoDetails && <p className="text-sm text-danger">Failed to load execution details</p>}
        {run.canResume && !hasBrokenStep && (
          <Button
            size="sm"
            variant="secondary"
            className="justify-self-start"
            pending={running.isResuming}
            onClick={() => running.resume(id)}
          >
            {!running.isResuming && <RotateCwIcon />}
            Resume
          </Button>
        )}
        {isLost && (
          <p className="flex flex-wrap items-center gap-2 text-sm text-warn">
            <CircleAlertIcon className="size-4 shrink-0" />
            <span className="min-w-0 flex-1">Can’t reach the run’s status. It may still be running.</span>
            <Button size="sm" variant="secondary" onClick={running.followAgain}>
              Check again
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}
