import type { BackupCopy, BackupDrill, BackupsState } from '@catenary/contracts'
import { CheckIcon, ShieldAlertIcon, ShieldCheckIcon, ShieldQuestionIcon, XIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Time } from '../../../components/time/time.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { formatTime } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { cn } from '../../../lib/utils.ts'
import { describeMs, describeNights, failedStage, lastDrilled, STAGES } from './backup-texts.ts'

type Drilled = BackupCopy & { drill: BackupDrill }

/** One sentence: whether the copies can be restored; below it how that is known. */
export function ProvenCard({ state }: { state: BackupsState }) {
  const last = lastDrilled(state)
  const nights = describeNights(state)
  return (
    <section aria-label="Proof" className="rounded-card border border-line px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <Headline copy={last} underWay={state.underWay} />
        {nights && (
          <p className="text-xs text-text-2">
            {nights.text}
            {nights.missed.length > 0 && (
              <span className="block text-text-3">
                missed:{' '}
                {nights.missed.slice(-3).map((at, place) => (
                  <span key={at}>
                    {place > 0 && ', '}
                    <Time time={at} as="shortDay" />
                  </span>
                ))}
              </span>
            )}
          </p>
        )}
      </div>
      {last && <Stages drill={last.drill} />}
    </section>
  )
}

function Headline({ copy, underWay }: { copy: Drilled | undefined; underWay: BackupsState['underWay'] }) {
  if (copy === undefined) {
    return (
      <Sentence
        icon={underWay === null ? <ShieldQuestionIcon /> : <Spinner />}
        ground="bg-inset text-text-2"
        title={underWay === null ? 'Not proven yet' : WORDS[underWay]}
      >
        {underWay === null
          ? 'No copy has been restored on trial. The first is made tonight, or with Back up now.'
          : 'Then it is known whether the copy can be restored.'}
      </Sentence>
    )
  }
  const { drill } = copy
  const again = underWay !== null && <span className="text-text-3"> {WORDS[underWay]} now.</span>
  if (drill.state === 'failed') {
    return (
      <Sentence
        icon={<ShieldAlertIcon />}
        ground="bg-danger-soft text-danger"
        tone="text-danger"
        title={
          <>
            Not restorable: the copy of <Time time={copy.takenAt} /> {failedStage(drill)?.fails ?? 'failed'}
          </>
        }
      >
        {drill.problem} {again}
      </Sentence>
    )
  }
  return (
    <Sentence
      icon={<ShieldCheckIcon />}
      ground="bg-ok-soft text-ok"
      title={
        <>
          Proven restorable, <Moment time={drill.at} />
        </>
      }
    >
      The copy of <Moment time={copy.takenAt} /> was restored into a place of its own, brought up to date and
      put to work. It took {describeMs(drill.ms)}
      {drill.restoreMs !== null && `; a restore takes about ${describeMs(drill.restoreMs)}`}. {again}
    </Sentence>
  )
}

/** Today’s by its clock alone. */
function Moment({ time }: { time: string }) {
  const timeZone = useTimeZone()
  const day = (of: string | Date) => formatTime({ time: of, as: 'day', timeZone })
  if (day(time) !== day(new Date())) return <Time time={time} />
  return (
    <>
      <Time time={time} as="clock" /> today
    </>
  )
}

const WORDS = { copy: 'A copy is being made', drill: 'A copy is being restored on trial' } as const

interface SentenceProps {
  icon: ReactNode
  ground: string
  tone?: string
  title: ReactNode
  children: ReactNode
}

function Sentence({ icon, ground, tone, title, children }: SentenceProps) {
  return (
    <div role="status" className="flex min-w-0 flex-1 basis-80 items-start gap-3.5">
      <span className={cn('grid size-11 shrink-0 place-items-center rounded-full [&_svg]:size-5', ground)}>
        {icon}
      </span>
      <div className="min-w-0">
        <h4 className={cn('text-xl font-semibold wrap-anywhere', tone)}>{title}</h4>
        <p className="text-sm text-text-2 wrap-anywhere">{children}</p>
      </div>
    </div>
  )
}

function Stages({ drill }: { drill: BackupDrill }) {
  const failed = failedStage(drill)
  return (
    <ol className="mt-4 grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
      {STAGES.map(({ name, label, fails }) => {
        const passed = drill.stages.find((stage) => stage.name === name)
        const isFailed = drill.state === 'failed' && failed?.name === name
        return (
          <li key={name} className="min-w-0 text-sm">
            <div
              aria-hidden="true"
              className={cn(
                'mb-2 flex items-center gap-1.5 after:h-0.5 after:flex-1 after:bg-line max-sm:hidden [&_svg]:size-3',
                passed && 'after:bg-ok',
              )}
            >
              <span
                className={cn(
                  'grid size-5 place-items-center rounded-full border border-line text-text-3',
                  passed && 'border-ok bg-ok-soft text-ok',
                  isFailed && 'border-danger bg-danger-soft text-danger',
                )}
              >
                {passed ? <CheckIcon /> : isFailed ? <XIcon /> : null}
              </span>
            </div>
            <p>
              <span className="font-medium">{label}</span>{' '}
              {passed && <span className="text-text-2 tabular-nums">{describeMs(passed.ms)}</span>}
            </p>
            <p className={cn('text-text-2 wrap-anywhere', isFailed && 'text-danger')}>
              {passed?.found ?? (isFailed ? `It ${fails}` : 'not reached')}
            </p>
          </li>
        )
      })}
    </ol>
  )
}
