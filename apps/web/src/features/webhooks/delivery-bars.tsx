import { WEBHOOK_RECENT, type Webhook, type WebhookDeliveryState } from '@catenary/contracts'
import { cn } from '../../lib/utils.ts'

const BARS: Record<WebhookDeliveryState, string> = {
  delivered: 'border-ok bg-ok',
  failed: 'border-danger bg-danger',
  dropped: 'border-line-strong bg-hover',
  waiting: 'border-line-strong',
}

/** The newest deliveries as bars, oldest first; the one that is tried again is red and hollow. */
export function DeliveryBars({ webhook: { recent, retried } }: { webhook: Webhook }) {
  const missing = Math.max(0, WEBHOOK_RECENT - recent.length)
  return (
    <div role="img" aria-label={labelOf(recent)} className="flex h-4 gap-0.5">
      {recent.map(({ id, state }) => (
        <span
          key={id}
          className={cn('w-[7px] rounded-[2px] border', BARS[state], id === retried?.id && 'border-danger')}
        />
      ))}
      {Array.from({ length: missing }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places without anything in them.
        <span key={`none-${index}`} className="w-[7px] rounded-[2px] bg-hover/60" />
      ))}
    </div>
  )
}

function labelOf(recent: Webhook['recent']): string {
  if (recent.length === 0) return 'Nothing was sent yet'
  const countOf = (state: WebhookDeliveryState) => recent.filter((each) => each.state === state).length
  const parts = [
    `${countOf('delivered')} delivered`,
    countOf('failed') > 0 && `${countOf('failed')} given up`,
    countOf('dropped') > 0 && `${countOf('dropped')} dropped`,
    countOf('waiting') > 0 && `${countOf('waiting')} waiting`,
  ]
  return `Last ${recent.length} deliveries: ${parts.filter((part) => part !== false).join(', ')}`
}
