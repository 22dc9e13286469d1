import type { RunDetails, SeenRun } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { CalendarPlusIcon, CheckIcon, CodeXmlIcon, MinusIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ContentViewer } from '../../../components/content-viewer/content-viewer.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { cn } from '../../../lib/utils.ts'
import { AccessNote } from '../../runs/access-note.tsx'
import { CutBadge } from '../../runs/cut-badge.tsx'
import { viewFor } from '../../runs/long-text.ts'
import { RunRating } from '../../runs/rating/run-rating.tsx'
import { ResultViewer } from '../../runs/result-viewer.tsx'
import { answerStepOf, type ChainRun, resultTextOf } from './chain-run.ts'
import { metricsOf, startInSentence } from './chain-run-progress.tsx'
import { runQuery } from './chain-runs.queries.ts'
import { useStepText } from './chain-step-text.tsx'
import type { ChainRunning } from './use-chain-run.ts'

const TITLE = 'Last Execution Result'
const HEIGHT = 'max-h-[max(400px,70vh)]'
/** A chain is read without its last run rather than not at all. */
const KNOWN_WITHIN_MS = 2000

export interface ChainAnswer {
  /** The run whose answer is still to come, or came to nothing. */
  run: ChainRun | null
  result: SeenRun | undefined
  isError: boolean
  /** There is a later result. */
  isOlder: boolean
  /** Whether it was once known what stands at the end of the chain, or took too long. */
  isKnown: boolean
}

/** What the chain’s end shows: the answer of the shown run or, until it has one, of the newest that was completed. */
export function useChainAnswer(running: ChainRunning): ChainAnswer {
  const { run, resultId, newestResultAt, isShownKnown } = running
  const { data, isError, isPaused } = useQuery({ ...runQuery(resultId ?? 0), enabled: resultId !== null })
  const result = resultId !== null && data?.id === resultId && data.status === 'completed' ? data : undefined
  const isFailed = isError && resultId !== null && result === undefined
  const [isKnown, setIsKnown] = useState(false)
  if (!isKnown && isShownKnown && (resultId === null || result !== undefined || isFailed || isPaused))
    setIsKnown(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsKnown(true), KNOWN_WITHIN_MS)
    return () => clearTimeout(timer)
  }, [])
  return {
    run: run && isAwaited({ run, resultId, isSettled: result !== undefined || isFailed }) ? run : null,
    result,
    isError: isFailed,
    isOlder: result !== undefined && newestResultAt !== null && result.executedAt < newestResultAt,
    isKnown,
  }
}

function isAwaited({
  run,
  resultId,
  isSettled,
}: {
  run: ChainRun
  resultId: number | null
  isSettled: boolean
}): boolean {
  if (run.sight === 'presence' || run.steps.length === 0) return false
  return run.status !== 'completed' || (run.id === resultId && !isSettled)
}

export function hasAnswer({ run, result, isError }: ChainAnswer): boolean {
  return isError || result !== undefined || run !== null
}

export interface ChainAnswerProps {
  answer: ChainAnswer
  running: ChainRunning
  onSchedule: ((input: string) => void) | undefined
  onCall: (() => void) | undefined
}

/** The last link of the chain. */
export function ChainAnswerLink({ answer, running, ...act }: ChainAnswerProps) {
  const { run, result, isError, isOlder } = answer
  if (!hasAnswer(answer)) return null
  const isOnItsWay = run !== null && (run.status === 'running' || run.status === 'completed')
  return (
    <div
      id="chain-answer"
      className="grid scroll-mt-4 grid-cols-[76px_minmax(0,1fr)] max-md:grid-cols-[38px_minmax(0,1fr)]"
    >
      <AnswerNode state={isOnItsWay ? 'awaited' : run || isError ? 'missing' : 'here'} />
      <div className="grid min-w-0 gap-3">
        {isOnItsWay && <AwaitedAnswer run={run} running={running} hasOther={result !== undefined} />}
        {run && !isOnItsWay && <MissingAnswer run={run} />}
        {isError && <Unknown />}
        {result && !(isOnItsWay && isWriting(run)) && <Answer result={result} isOlder={isOlder} {...act} />}
      </div>
    </div>
  )
}

const NODES = {
  here: 'border-accent bg-accent text-on-accent',
  awaited: 'border-dashed border-accent bg-surface text-accent',
  missing: 'border-line-strong bg-surface text-text-3',
}

function AnswerNode({ state }: { state: keyof typeof NODES }) {
  return (
    <div className="relative" aria-hidden="true">
      <span
        className={cn(
          'absolute top-2.5 right-[17px] grid size-6 place-items-center rounded-full border-[1.5px] max-md:right-2.5 [&_svg]:size-3.5',
          NODES[state],
        )}
      >
        {state === 'here' && <CheckIcon strokeWidth={2.5} />}
        {state === 'missing' && <MinusIcon />}
        {state === 'awaited' && <Spinner />}
      </span>
    </div>
  )
}

const isWriting = ({ status, steps }: ChainRun): boolean =>
  status === 'completed' || steps.at(-1)?.status === 'running' || steps.at(-1)?.status === 'completed'

function AwaitedAnswer({
  run,
  running,
  hasOther,
}: {
  run: ChainRun
  running: ChainRunning
  hasOther: boolean
}) {
  const last = run.steps.length - 1
  const text = useStepText({ texts: running.texts, position: last })
  if (isWriting(run) && text !== '') {
    const isStillWriting = run.status === 'running'
    return (
      <ContentViewer
        title={TITLE}
        content={text}
        view={viewFor(text)}
        isWriting={isStillWriting}
        limit={HEIGHT}
      />
    )
  }
  if (isWriting(run)) return <AnswerNote>The answer is on its way...</AnswerNote>
  return (
    <AnswerNote>
      The answer appears here after step {run.steps.length}.
      {hasOther && ' Until then, the last result stays.'}
    </AnswerNote>
  )
}

function MissingAnswer({ run: { id, status, steps } }: { run: ChainRun }) {
  const step = steps.findIndex(({ status }) => status === 'failed' || status === 'cancelled') + 1
  const what = status === 'failed' ? 'failed' : 'was stopped'
  return (
    <AnswerNote>
      Execution #{id} {what}
      {step > 0 && ` at step ${step}`}, so it has no answer.
    </AnswerNote>
  )
}

function AnswerNote({ children }: { children: ReactNode }) {
  return (
    <p className="flex min-h-11 items-center rounded-card border border-dashed border-line px-3.5 py-2 text-sm text-text-3">
      <span>{children}</span>
    </p>
  )
}

type AnswerProps = Pick<ChainAnswerProps, 'onSchedule' | 'onCall'> & Pick<ChainAnswer, 'isOlder'>

function Answer({ result, isOlder, ...act }: { result: SeenRun } & AnswerProps) {
  if (result.sight === 'presence') return null
  const title = isOlder ? `Result of Execution #${result.id}` : TITLE
  return (
    <div className="grid min-w-0 gap-1.5">
      {result.sight === 'figures' ? (
        <MetricsOnly title={title} result={result} />
      ) : (
        <ResultViewer
          key={result.id}
          title={title}
          text={resultTextOf(result)}
          structured={answerStepOf(result.steps)?.structured}
          limit={HEIGHT}
          foot={<AnswerFoot result={result} {...act} />}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-1">
        <CutBadge ended={result} />
        <p className="text-xs text-text-3">
          #{result.id} · <Time time={result.executedAt} /> · {startInSentence(result)}
        </p>
      </div>
    </div>
  )
}

function AnswerFoot({
  result: { id, input },
  onSchedule,
  onCall,
}: { result: RunDetails } & Pick<ChainAnswerProps, 'onSchedule' | 'onCall'>) {
  return (
    <div className="flex flex-wrap items-center gap-2 px-2 py-2">
      <div className="flex min-w-0 flex-1 basis-48">
        <RunRating executionId={id} />
      </div>
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {onSchedule && (
          <Button variant="secondary" size="sm" onClick={() => onSchedule(input)}>
            <CalendarPlusIcon />
            Schedule this
          </Button>
        )}
        {onCall && (
          <Button variant="secondary" size="sm" onClick={onCall}>
            <CodeXmlIcon />
            Call it from code
          </Button>
        )}
      </div>
    </div>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-card border border-line bg-surface">
      <h2 className="flex min-h-11 items-center border-b border-line px-3.5 text-sm font-semibold tracking-normal">
        {title}
      </h2>
      <div className="grid gap-1.5 px-3.5 py-3.5">{children}</div>
    </section>
  )
}

/** Of another person’s run, whose texts stay theirs. */
function MetricsOnly({ title, result }: { title: string; result: RunDetails }) {
  return (
    <Card title={title}>
      <AccessNote run={result} />
      <p className="text-sm text-text-2">{metricsOf(result)}</p>
    </Card>
  )
}

function Unknown() {
  return (
    <Card title={TITLE}>
      <p className="text-sm text-danger">Failed to load execution details</p>
    </Card>
  )
}
