import type { WebhookDelivery } from '@catenary/contracts'
import { Time } from '../../components/time/time.tsx'
import { durationText, isWell, outcomeText, subjectOf } from './webhook-texts.ts'

export function TryList({ delivery }: { delivery: WebhookDelivery }) {
  const subject = subjectOf(delivery)
  return (
    <ul aria-label={`Tries of ${subject}`} className="grid gap-1.5 border-l-2 border-danger pl-3 text-sm">
      {delivery.tries.map((each, index) => (
        <li
          key={each.at}
          className="grid grid-cols-[72px_minmax(0,1.2fr)_56px_minmax(0,1.4fr)_56px] items-baseline gap-x-3 @max-lg:grid-cols-[72px_minmax(0,1fr)_56px] @max-lg:gap-y-0.5"
        >
          <Time time={each.at} as="clock" className="text-text-2" />
          <code className="truncate font-mono text-[13px] text-text @max-lg:hidden">{subject}</code>
          <span className="text-text-2 @max-lg:hidden">
            {each.isByHand ? 'by hand' : `try ${delivery.tryCount - autoAfter(delivery, index)}`}
          </span>
          <span className={`wrap-anywhere ${isWell(each) ? 'text-ok' : 'text-danger'}`}>
            {outcomeText(each)}
          </span>
          <span className="text-right text-text-2 tabular-nums">{durationText(each.ms)}</span>
        </li>
      ))}
    </ul>
  )
}

/** How many tries came after that one by themselves: only the latest are kept. */
const autoAfter = ({ tries }: WebhookDelivery, index: number): number =>
  tries.slice(index + 1).filter(({ isByHand }) => !isByHand).length
