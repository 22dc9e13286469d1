import type { Ask } from '@catenary/contracts'
import { CheckIcon, CircleOffIcon, HourglassIcon, XIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { TextDiff } from '../../components/text-diff/text-diff.tsx'
import { Time } from '../../components/time/time.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { cn } from '../../lib/utils.ts'
import { AskCalls } from './ask-calls.tsx'
import { AskText } from './ask-text.tsx'
import { choiceOf, endText, tookText } from './ask-texts.ts'

/** What came of an ask that is closed: who decided what, when and why, and what became of the text. */
export function AskOutcome({ ask }: { ask: Ask }) {
  const { text, givenText, reason, title, unsure } = ask
  if (unsure) return <UnsureOutcome ask={ask} />
  return (
    <>
      {givenText === null || givenText === text ? (
        text !== '' && <AskText title={title} text={text} />
      ) : (
        <div className="p-4">
          <TextDiff
            label="What was changed in the text"
            before={{ label: 'As it was asked', text }}
            after={{ label: 'As it was answered', text: givenText }}
          />
        </div>
      )}
      <AskCalls calls={ask.calls} />
      <div className="grid gap-1.5 border-t border-line px-4 py-3.5">
        <OutcomeLine ask={ask} />
        {reason !== null && (
          <p
            dir="auto"
            className="border-s-2 border-line-strong ps-2.5 text-sm whitespace-pre-line wrap-anywhere"
          >
            {reason}
          </p>
        )}
      </div>
    </>
  )
}

/** What its runner said of a call, and the answer if they had it. */
function UnsureOutcome({ ask }: { ask: Ask }) {
  const { text, givenText, title } = ask
  return (
    <>
      {text !== '' && <AskText title={title} text={text} />}
      {givenText !== null && (
        <div className="border-t border-line">
          <AskText title="Answer of the service" text={givenText} />
        </div>
      )}
      <div className="border-t border-line px-4 py-3.5">
        <OutcomeLine ask={ask} />
      </div>
    </>
  )
}

const ICONS = { answered: CheckIcon, failed: XIcon, expired: HourglassIcon, withdrawn: CircleOffIcon }

/** ‘Approve: ana, Nov 30, 2026 9:42 AM, after 12 min’ */
export function OutcomeLine({ ask }: { ask: Pick<Ask, Outcome> }) {
  const { user } = useSession()
  const choice = choiceOf(ask, ask.decision)
  const isRejected = ask.status === 'answered' && choice?.ends === 'failed'
  if (ask.status === 'open') return null
  const Icon = ICONS[isRejected ? 'failed' : ask.status]
  const label = <strong className="font-semibold">{choice?.label ?? ask.decision}</strong>
  return (
    <p className="flex gap-2 text-sm text-text-2">
      <Icon
        aria-hidden="true"
        className={cn(
          'mt-0.5 size-4 shrink-0',
          ask.status === 'answered' && (isRejected ? 'text-danger' : 'text-ok'),
        )}
      />
      <span className="min-w-0 wrap-anywhere">
        {outcomeText({ ask, label, by: ask.by === user?.username ? 'you' : ask.by })}
      </span>
    </p>
  )
}

type Outcome = 'status' | 'choices' | 'decision' | 'by' | 'at' | 'since' | 'deadline'

function outcomeText({
  ask: { status, choices, decision, at, since, deadline },
  label,
  by,
}: {
  ask: Pick<Ask, Outcome>
  label: ReactNode
  by: string | null
}): ReactNode {
  const when = at !== null && <Time time={at} />
  const choice = choiceOf({ choices }, decision)
  if (status === 'answered') {
    return (
      <>
        {label}: {by === null ? 'a deleted account' : <bdi>{by}</bdi>}, {when}
        {at !== null && `, after ${tookText({ since, at })}`}
      </>
    )
  }
  if (status === 'withdrawn') return <>Withdrawn {when}: its run no longer waits for an answer.</>
  const isInTime = at !== null && Date.parse(at) < Date.parse(deadline)
  if (decision === null) {
    return (
      <>
        {isInTime ? 'Nobody was left who could say it' : 'Nobody said it in time'}, so the run failed. {when}
      </>
    )
  }
  return (
    <>
      {isInTime ? 'Nobody was left who could answer' : 'Nobody answered in time'}, so {label} held
      {choice && `: ${endText(choice)}`}. {when}
    </>
  )
}
