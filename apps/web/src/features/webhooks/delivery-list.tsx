import { WEBHOOK_DELIVERY_DAYS, type Webhook } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { DeliveryItem } from './delivery-item.tsx'
import { DELIVERIES_SHOWN, deliveriesQuery } from './webhooks.queries.ts'

interface DeliveryListProps {
  webhook: Webhook
  /** The delivery that is being sent again. */
  sending: number | undefined
  onSend: (deliveryId: number) => void
}

/** What was sent to one webhook, newest first. */
export function DeliveryList({ webhook, sending, onSend }: DeliveryListProps) {
  const { data, error, refetch } = useQuery(deliveriesQuery(webhook))
  if (error && !data) {
    return (
      <div role="alert" className="grid justify-items-start gap-2 text-sm">
        <p className="text-danger wrap-anywhere">Its deliveries could not be loaded: {errorMessage(error)}</p>
        <Button variant="secondary" size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (!data) {
    return (
      <div role="status" className="grid gap-2">
        <span className="sr-only">Loading deliveries</span>
        <Skeleton className="h-8" />
        <Skeleton className="h-8" />
      </div>
    )
  }
  if (data.length === 0) {
    return <p className="text-sm text-text-2">Nothing was sent yet. Send a test from the menu beside it.</p>
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <ul aria-label="Deliveries" className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
        {data.map((delivery) => (
          <DeliveryItem
            key={delivery.id}
            delivery={delivery}
            canSend={webhook.isActive}
            isSending={sending === delivery.id}
            onSend={() => onSend(delivery.id)}
          />
        ))}
      </ul>
      <p className="text-xs text-text-3">
        {data.length === DELIVERIES_SHOWN ? `The newest ${DELIVERIES_SHOWN}. ` : ''}Deliveries are kept for{' '}
        {WEBHOOK_DELIVERY_DAYS} days.
      </p>
    </div>
  )
}
