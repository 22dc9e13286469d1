import type { SchedulerState } from '@catenary/contracts'
import { Fact } from '../../components/fact.tsx'
import { Time } from '../../components/time/time.tsx'

export function SchedulerFacts({ state }: { state: SchedulerState }) {
  const { active, nextDueAt, overdue, lastLatenessMs, mailIsSetUp, mailsWaiting, mailsFailed } = state
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-x-4 gap-y-2.5 text-sm">
      <Fact name="Active schedules">{active.toLocaleString('en')}</Fact>
      <Fact name="Next due">{nextDueAt === null ? 'none' : <Time time={nextDueAt} />}</Fact>
      <Fact name="Due, not started">{overdue.toLocaleString('en')}</Fact>
      <Fact name="Last delay">{lastLatenessMs === null ? '–' : `${Math.round(lastLatenessMs)} ms`}</Fact>
      <Fact name="Mail">{mailIsSetUp ? 'set up' : 'not set up'}</Fact>
      <Fact name="Emails waiting">{mailsWaiting.toLocaleString('en')}</Fact>
      <Fact name="Emails that failed today">{mailsFailed.toLocaleString('en')}</Fact>
    </dl>
  )
}
