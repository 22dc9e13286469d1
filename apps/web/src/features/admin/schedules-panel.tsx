import type { SchedulerState } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { CircleCheckIcon, CircleXIcon, TriangleAlertIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { LearnMore } from '../../components/learn-more.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Label } from '../../components/ui/label.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { Switch } from '../../components/ui/switch.tsx'
import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { schedulerQuery, usePauseSchedules, useTestMail } from './admin.queries.ts'
import { SchedulerFacts } from './scheduler-facts.tsx'

export default function SchedulesPanel() {
  const { data, error, refetch } = useQuery(schedulerQuery)
  return (
    <SettingsPanel title="Schedules" description="Chains that run on a schedule, and the emails they send.">
      {data ? (
        <>
          <PauseSwitch paused={data.paused} />
          <div className="rounded-card border border-line px-3.5 py-3">
            <SchedulerFacts state={data} />
          </div>
          <TestMail state={data} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-44" />
      )}
    </SettingsPanel>
  )
}

function PauseSwitch({ paused }: Pick<SchedulerState, 'paused'>) {
  const id = useId()
  const pause = usePauseSchedules()
  const change = (paused: boolean) =>
    pause.mutate(paused, {
      onSuccess: ({ paused }) =>
        toast({
          title: paused ? 'Schedules paused' : 'Schedules resumed',
          description: paused
            ? 'Runs due in the meantime are recorded as skipped.'
            : 'Runs start again when they are due.',
        }),
    })
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <div className="grid gap-0.5">
          <Label htmlFor={id} className="text-sm text-text">
            Pause all schedules
          </Label>
          <p id={`${id}-hint`} className="text-xs text-text-3">
            No schedules start runs, whoever created them. Runs in progress continue.
          </p>
        </div>
        <Switch
          id={id}
          aria-describedby={`${id}-hint`}
          checked={paused}
          disabled={pause.isPending}
          onCheckedChange={change}
        />
      </div>
      {paused && (
        <Banner role="status" icon={<TriangleAlertIcon />}>
          All schedules are paused. Runs due in the meantime are recorded as skipped.
        </Banner>
      )}
    </>
  )
}

function TestMail({ state: { mailIsSetUp } }: { state: SchedulerState }) {
  const test = useTestMail()
  const { data, error, isPending } = test
  return (
    <div className="grid gap-2">
      <div className="flex items-center justify-between gap-4">
        <p className="text-xs text-text-3">
          {mailIsSetUp ? (
            'Sends one email to your own address, to check that email arrives.'
          ) : (
            <>
              Mail is not set up. Set <code>SMTP_URL</code> and <code>MAIL_FROM</code> to email results.{' '}
              <LearnMore about="mail" className="text-xs" />
            </>
          )}
        </p>
        <Button
          variant="secondary"
          size="sm"
          disabled={!mailIsSetUp}
          pending={isPending}
          onClick={() => test.mutate()}
        >
          Send test email
        </Button>
      </div>
      <div role="status" aria-label="Test email" className="empty:hidden">
        {data?.ok && (
          <Outcome ok>
            The mail server accepted the email to {data.to} in {Math.round(data.ms)} ms
          </Outcome>
        )}
        {data?.ok === false && <Outcome>{data.error}</Outcome>}
        {error && <Outcome>{errorReason(error)}</Outcome>}
      </div>
    </div>
  )
}

function Outcome({ ok = false, children }: { ok?: boolean; children: ReactNode }) {
  const Icon = ok ? CircleCheckIcon : CircleXIcon
  return (
    <p className={`flex gap-1.5 text-xs ${ok ? 'text-ok' : 'text-danger'}`}>
      <Icon className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
