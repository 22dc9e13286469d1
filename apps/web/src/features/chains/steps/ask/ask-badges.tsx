import type { ChainStep } from '@catenary/contracts'
import { HourglassIcon, UserCheckIcon } from 'lucide-react'
import { Badge } from '../../../../components/ui/badge.tsx'
import { askedText, choiceOf, minutesText } from '../../../asks/ask-texts.ts'

type AskStep = Pick<ChainStep, 'ask'>

/** The line that people are asked. */
export function AskQuestion({ step: { ask } }: { step: AskStep }) {
  if (!ask) return null
  return (
    <p dir="auto" className="line-clamp-3 text-sm wrap-anywhere">
      {ask.question}
    </p>
  )
}

/** Whom a step asks, and what holds if they don’t answer. */
export function AskBadges({ step: { ask } }: { step: AskStep }) {
  if (!ask) return null
  const asked = askedText(ask)
  const label = choiceOf(ask, ask.onDeadline)?.label ?? ask.onDeadline
  return (
    <>
      <Badge className="max-w-full min-w-0 shrink">
        <UserCheckIcon />
        <span className="truncate leading-normal">
          {asked === '' ? 'asks nobody yet' : `asks ${asked}`}
          {ask.notTheRunner && ', not who runs it'}
        </span>
      </Badge>
      <Badge className="max-w-full min-w-0 shrink text-text-3">
        <HourglassIcon />
        <span className="truncate leading-normal">
          {minutesText(ask.deadlineMinutes)}, then <bdi>{label}</bdi>
        </span>
      </Badge>
    </>
  )
}
