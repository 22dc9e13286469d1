import type { WaitingFor } from '@catenary/contracts'
import { Time } from '../../components/time/time.tsx'
import { cn } from '../../lib/utils.ts'
import { askedText } from './ask-texts.ts'

/** ‘Waiting for ana or ben since Nov 30, 2026 9:30 AM, until Dec 1, 2026 9:30 AM’ */
export function WaitingLine({ waiting, className }: { waiting: WaitingFor; className?: string }) {
  return (
    <span className={cn('wrap-anywhere', className)}>
      Waiting for {waitedText(waiting)}
      {waiting.unsure && ' to say whether a call happened,'} since <Time time={waiting.since} />, until{' '}
      <Time time={waiting.deadline} />
    </span>
  )
}

/** Whom a run waits for. */
export const waitedText = (waiting: WaitingFor): string => askedText(waiting) || 'an answer'
