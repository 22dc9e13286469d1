import type { ActiveRun } from '@catenary/contracts'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { countText } from '../../../lib/text/count-text.ts'
import { toast } from '../../../lib/toast.ts'
import { useStopRun } from './processes.queries.ts'

const STATES = {
  running: { label: 'Running', variant: 'accent' },
  waiting: { label: 'Waiting', variant: 'warn' },
  stopping: { label: 'Stopping', variant: 'neutral' },
} as const
const TRIGGERS = {
  manual: 'by hand',
  schedule: 'scheduled',
  token: 'by token',
  evaluation: 'by evaluation',
} as const
const KINDS = { prompt: 'Prompt', chain: 'Chain' } as const

/** One run that has not ended: whose, since when and how far, never what. */
export function ActiveRunRow({ run }: { run: ActiveRun }) {
  const { id, kind, state, model, trigger, username, startedAt, completedSteps, stepCount } = run
  const [asks, setAsks] = useState(false)
  const stop = useStopRun()
  const { label, variant } = STATES[state]
  const confirm = () =>
    stop.mutate(id, {
      onSuccess: () => toast({ title: 'Run stopped', description: `Run ${id} by ${username} is stopping.` }),
      onSettled: () => setAsks(false),
    })
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-2 px-3.5 py-2.5">
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium wrap-anywhere">
          {KINDS[kind]} run {id}
          <Badge variant={variant}>{label}</Badge>
          {model !== null && <Badge>{model}</Badge>}
        </p>
        <p className="text-xs text-text-3 wrap-anywhere">
          {username} · {TRIGGERS[trigger]} · started <RelativeTime time={startedAt} />
          {kind === 'chain' && ` · ${completedSteps} of ${countText(stepCount, 'step')}`}
        </p>
      </div>
      <Button
        variant="ghost"
        aria-label={`Stop run ${id}`}
        disabled={state === 'stopping'}
        onClick={() => setAsks(true)}
      >
        Stop
      </Button>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={`Stop run ${id}?`}
        description={`${username} will see that it was stopped. The answer so far is kept, and the record says who stopped it.`}
        confirmLabel="Stop"
        pending={stop.isPending}
        onConfirm={confirm}
      />
    </li>
  )
}
