import { WEBHOOK_FAILING_DAYS, WEBHOOK_TRIES, type Webhook } from '@catenary/contracts'
import { CheckIcon, CircleAlertIcon, CirclePauseIcon, ClockIcon } from 'lucide-react'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { durationText, isWell, outcomeText, shortOutcome } from './webhook-texts.ts'

const line = 'flex min-w-0 items-center gap-1.5 [&_svg]:size-4 [&_svg]:shrink-0'

/** How the endpoint answers. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { isActive, offReason, retried, latestTry, waiting } = webhook
  if (!isActive) {
    return (
      <span className={`${line} text-text-2`}>
        <CirclePauseIcon aria-hidden className={offReason === null ? '' : 'text-danger'} />
        <span className={offReason === null ? '' : 'text-danger'}>{offText(offReason)}</span>
      </span>
    )
  }
  if (retried && latestTry) {
    return (
      <span className={`${line} text-danger`}>
        <CircleAlertIcon aria-hidden />
        {shortOutcome(latestTry)}, try {retried.tries} of {WEBHOOK_TRIES}
      </span>
    )
  }
  if (latestTry === null) {
    return (
      <span className={`${line} text-text-3`}>
        {waiting > 0 && <ClockIcon aria-hidden />}
        {waiting > 0 ? 'On its way' : 'Nothing sent yet'}
      </span>
    )
  }
  const isOk = isWell(latestTry)
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3">
      <span className={`${line} ${isOk ? 'text-ok' : 'text-danger'}`}>
        {isOk ? <CheckIcon aria-hidden /> : <CircleAlertIcon aria-hidden />}
        {isOk ? `${latestTry.status} in ${durationText(latestTry.ms)}` : outcomeText(latestTry)}
      </span>
      <RelativeTime time={latestTry.at} className="text-text-3" />
    </span>
  )
}

function offText(reason: Webhook['offReason']): string {
  if (reason === 'failing') return `Off: no good answer for ${WEBHOOK_FAILING_DAYS} days`
  return reason === 'gone' ? 'Off: it answered 410 Gone' : 'Switched off'
}
