import type { Ask } from '@catenary/contracts'
import { HourglassIcon } from 'lucide-react'
import { Link } from 'wouter'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { AnswerFields, DeadlineNote } from './answer-fields.tsx'
import { AskCalls } from './ask-calls.tsx'
import { AskOutcome } from './ask-outcome.tsx'
import { AskText } from './ask-text.tsx'
import { askedText } from './ask-texts.ts'
import { UnsureFields } from './unsure-fields.tsx'

export interface AskBodyProps {
  ask: Ask
  onAnswered?: (() => void) | undefined
}

/** What is decided on, and the choices, or who decided. */
export function AskBody({ ask, onAnswered }: AskBodyProps) {
  if (ask.status !== 'open') return <AskOutcome ask={ask} />
  if (ask.canAnswer && ask.unsure) return <UnsureFields key={ask.id} ask={ask} onAnswered={onAnswered} />
  if (ask.canAnswer) return <AnswerFields key={ask.id} ask={ask} onAnswered={onAnswered} />
  return (
    <>
      {ask.text !== '' && <AskText title={ask.title} text={ask.text} />}
      <AskCalls calls={ask.calls} />
      <div className="grid gap-1.5 border-t border-line px-4 py-3.5">
        <p className="flex gap-2 text-sm text-text-2">
          <HourglassIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-text-3" />
          <span className="min-w-0 wrap-anywhere">
            Waiting for {askedText(ask)}. You can’t answer this one.
          </span>
        </p>
        <DeadlineNote ask={ask} />
      </div>
    </>
  )
}

/** ‘Ticket to answer · step 5 · started by maren · 12 minutes ago’ */
export function AskOrigin({
  ask: { chainId, chainName, executionId, position, runBy, since },
}: {
  ask: Pick<Ask, 'chainId' | 'chainName' | 'executionId' | 'position' | 'runBy' | 'since'>
}) {
  const { user } = useSession()
  return (
    <p className="text-sm text-text-2 wrap-anywhere">
      <Link
        href={`/chains/${chainId}?run=${executionId}`}
        dir="auto"
        aria-label={`${chainName}, execution #${executionId}`}
        className="underline-offset-3 hover:underline pointer-coarse:py-3"
      >
        {chainName}
      </Link>
      {` · step ${position + 1} · `}
      {runBy !== user?.username && (
        <>
          started by <bdi>{runBy}</bdi> ·{' '}
        </>
      )}
      <RelativeTime time={since} />
    </p>
  )
}
