import { BACKUP_LATE_SECONDS, type BackupDrill, type BackupsState } from '@catenary/contracts'
import {
  CheckIcon,
  FolderXIcon,
  ShieldAlertIcon,
  ShieldCheckIcon,
  ShieldQuestionIcon,
  XIcon,
} from 'lucide-react'
import { Time } from '../../../components/time/time.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { cn } from '../../../lib/utils.ts'
import {
  type DrilledCopy,
  describeMs,
  describeNights,
  failedStage,
  findProven,
  lastDrilled,
  newestFailed,
  STAGES,
} from './backup-texts.ts'
import { DayAndClock } from './day-and-clock.tsx'
import { Sentence } from './sentence.tsx'

const NIGHTS_NAMED = 3

export function ProvenCard({ state }: { state: BackupsState }) {
  const last = state.place?.problem === null ? lastDrilled(state) : undefined
  const isFailed = last?.drill.state === 'failed'
  return (
    <section
      aria-label="Proof"
      className={cn('rounded-card border p-5 max-sm:p-4', isFailed ? 'border-danger' : 'border-line')}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <Headline state={state} copy={last} />
        <Nights state={state} />
      </div>
      {last && <DrillStages drill={last.drill} />}
    </section>
  )
}

function Nights({ state }: { state: BackupsState }) {
  const nights = describeNights(state)
  if (nights === null) return null
  return (
    <p className="text-xs text-text-2">
      {nights.text}
      {nights.missed.length > 0 && (
        <span className="block text-text-3">
          failed:{' '}
          {nights.missed.slice(-NIGHTS_NAMED).map((at, place) => (
            <span key={at}>
              {place > 0 && ', '}
              <Time time={at} as="shortDay" />
            </span>
          ))}
        </span>
      )}
    </p>
  )
}

const WORDS = { copy: 'Making a copy', drill: 'Testing the latest backup' } as const

function Headline({ state, copy }: { state: BackupsState; copy: DrilledCopy | undefined }) {
  const { place, underWay } = state
  if (place && place.problem !== null) {
    return (
      <Sentence icon={<FolderXIcon />} tone="danger" title="The folder of the copies can’t be used">
        {place.problem}. Until it can, no copies are made and none can be restored from here.
      </Sentence>
    )
  }
  if (copy === undefined) {
    return underWay === null ? (
      <Sentence icon={<ShieldQuestionIcon />} tone="none" title="Not proven yet">
        No copy has been tested yet. The next one will be: tonight, or when you choose Back up now.
      </Sentence>
    ) : (
      <Sentence icon={<Spinner />} tone="none" title={WORDS[underWay]}>
        This checks that it can be restored.
      </Sentence>
    )
  }
  return copy.drill.state === 'failed' ? (
    <NotRestorable state={state} copy={copy} />
  ) : (
    <Restorable state={state} copy={copy} />
  )
}

interface ProofProps {
  state: BackupsState
  copy: DrilledCopy
}

function Restorable({ state, copy: { drill, takenAt } }: ProofProps) {
  const failedSince = newestFailed(state, takenAt)
  const isLate = (Date.now() - Date.parse(takenAt)) / 1_000 > BACKUP_LATE_SECONDS
  return (
    <Sentence
      icon={isLate ? <ShieldAlertIcon /> : <ShieldCheckIcon />}
      tone={isLate ? 'warn' : 'ok'}
      title={
        <>
          {isLate ? 'Last proven restorable,' : 'Proven restorable,'}{' '}
          <DayAndClock time={drill.at} as="words" />
        </>
      }
    >
      {isLate && 'Nothing written since then is in a proven backup. '}
      The copy from <DayAndClock time={takenAt} as="words" /> was restored to a separate place, brought up to
      date and run. It took {describeMs(drill.ms)}
      {drill.restoreMs !== null && `; a restore takes about ${describeMs(drill.restoreMs)}`}.
      {failedSince && (
        <strong className="font-medium text-danger">
          {' '}
          The one from <DayAndClock time={failedSince.takenAt} as="words" /> failed.
        </strong>
      )}
      <Again underWay={state.underWay} />
    </Sentence>
  )
}

function NotRestorable({ state, copy: { drill, takenAt } }: ProofProps) {
  const proven = findProven(state)
  return (
    <Sentence
      icon={<ShieldAlertIcon />}
      tone="danger"
      title={
        <>
          Not restorable: the copy from <DayAndClock time={takenAt} as="words" />{' '}
          {failedStage(drill)?.fails ?? 'failed'}
        </>
      }
    >
      {drill.problem}{' '}
      <strong className="font-medium text-text">
        {proven ? (
          <>
            The newest proven copy is from <DayAndClock time={proven.takenAt} as="words" />.
          </>
        ) : (
          'No other copy has been proven.'
        )}
      </strong>
      <Again underWay={state.underWay} />
    </Sentence>
  )
}

function Again({ underWay }: Pick<BackupsState, 'underWay'>) {
  return underWay !== null && <span className="text-text-3"> {WORDS[underWay]} now.</span>
}

function DrillStages({ drill }: { drill: BackupDrill }) {
  const failed = failedStage(drill)
  return (
    <ol className="mt-4 grid grid-cols-4 max-sm:grid-cols-1">
      {STAGES.map(({ name, label, fails }, index) => {
        const passed = drill.stages.find((stage) => stage.name === name)
        const isFailed = drill.state === 'failed' && failed?.name === name
        return (
          <li key={name} className="min-w-0 text-sm max-sm:flex max-sm:gap-3">
            <div
              aria-hidden="true"
              className={cn(
                'flex items-center max-sm:flex-col sm:mb-2',
                index < STAGES.length - 1 && 'after:flex-1 after:bg-line max-sm:after:w-0.5 sm:after:h-0.5',
                passed && 'after:bg-ok',
              )}
            >
              <span
                className={cn(
                  'grid size-5 place-items-center rounded-full border border-line text-text-3 [&_svg]:size-3',
                  passed && 'border-ok bg-ok-soft text-ok',
                  isFailed && 'border-danger bg-danger-soft text-danger',
                )}
              >
                {passed ? <CheckIcon /> : isFailed ? <XIcon /> : null}
              </span>
            </div>
            <div className="pr-3 max-sm:pb-3">
              <p>
                <span className="font-medium">{label}</span>
                {passed && <span className="ml-2 text-text-2 tabular-nums">{describeMs(passed.ms)}</span>}
              </p>
              <p className={cn('text-text-2 wrap-anywhere', isFailed && 'text-danger')}>
                {passed?.found ?? (isFailed ? `It ${fails}` : 'not reached')}
              </p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
