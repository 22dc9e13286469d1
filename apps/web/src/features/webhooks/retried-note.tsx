import { WEBHOOK_TRIES, type Webhook } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ClockIcon } from 'lucide-react'
import { useMinute } from '../../components/time/relative-time.tsx'
import { Time } from '../../components/time/time.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { mailStateQuery } from '../../lib/mail-state.ts'
import { formatRelativeTime } from '../../lib/text/format-time.ts'
import { TryList } from './try-list.tsx'
import { deliveriesQuery } from './webhooks.queries.ts'

const MINUTE_MS = 60_000

/** What failed so far, when it is tried again, and what waits behind it. */
export function RetriedNote({
  webhook,
}: {
  webhook: Webhook & { retried: NonNullable<Webhook['retried']> }
}) {
  const { retried } = webhook
  const { data } = useQuery(deliveriesQuery(webhook))
  const { data: mail } = useQuery(mailStateQuery)
  const minute = useMinute()
  const delivery = data?.find(({ id }) => id === retried.id)
  const behind = data?.filter(({ waitsBehind }) => waitsBehind === retried.id).length ?? 0
  return (
    <div className="grid grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] gap-x-6 gap-y-3 px-(--card-x) pb-3.5 @max-2xl:grid-cols-[minmax(0,1fr)]">
      {delivery ? <TryList delivery={delivery} /> : <Skeleton className="h-16" />}
      <p className="flex items-start gap-2 text-sm text-text-2">
        <ClockIcon aria-hidden className="mt-[2px] size-4 shrink-0 text-text-3" />
        <span>
          <strong className="font-medium text-text">
            Next try <Time time={retried.nextTryAt} as="clock" />
          </strong>
          , {untilText(retried.nextTryAt, minute)}. {behindText(behind)}
          After try {WEBHOOK_TRIES} it is given up
          {mail?.isSetUp ? ' and you get a mail.' : '.'}
        </span>
      </p>
    </div>
  )
}

/** `in 16 minutes`; a minute that has begun counts. */
function untilText(time: string, minute: number): string {
  const now = minute * MINUTE_MS
  return Date.parse(time) <= now ? 'now' : formatRelativeTime({ time, now })
}

function behindText(count: number): string {
  if (count === 0) return ''
  const deliveries = count === 1 ? 'One later delivery waits' : `${count} later deliveries wait`
  return `${deliveries} behind it, so the order holds. `
}
