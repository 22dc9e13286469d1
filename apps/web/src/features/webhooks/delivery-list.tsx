import { WEBHOOK_DELIVERY_DAYS, type Webhook, type WebhookDelivery } from '@catenary/contracts'
import { formatJson } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { SendIcon } from 'lucide-react'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { FoldArrow } from '../../components/fold-arrow.tsx'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { useFold } from '../../lib/use-fold.ts'
import { TryList } from './try-list.tsx'
import { durationText, outcomeText, STATES, subjectOf } from './webhook-texts.ts'
import { DELIVERIES_SHOWN, deliveriesQuery } from './webhooks.queries.ts'

const VARIANTS = { waiting: 'neutral', delivered: 'ok', failed: 'danger', dropped: 'outline' } as const

interface DeliveryListProps {
  webhook: Webhook
  sending: number | undefined
  onSend: (deliveryId: number) => void
}

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
    return <p className="text-sm text-text-2">Nothing sent yet. Send a test from the menu beside it.</p>
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

interface DeliveryItemProps {
  delivery: WebhookDelivery
  canSend: boolean
  isSending: boolean
  onSend: () => void
}

function DeliveryItem({ delivery, canSend, isSending, onSend }: DeliveryItemProps) {
  const { isOpen, button, panel } = useFold()
  const { state, tries, waitsBehind, createdAt } = delivery
  const latest = tries.at(-1)
  const subject = subjectOf(delivery)
  const action = state === 'waiting' ? 'Try now' : 'Send again'
  return (
    <li aria-label={`Delivery #${delivery.id}`} className="grid grid-cols-[minmax(0,1fr)]">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 py-1 text-sm">
        <button
          type="button"
          {...button}
          className="relative flex min-h-6 min-w-0 items-center gap-1 rounded-tag text-left hover:underline pointer-coarse:min-h-11"
        >
          <FoldArrow isOpen={isOpen} />
          <code className="truncate font-mono text-[13px]">{subject}</code>
        </button>
        <Badge variant={VARIANTS[state]}>{STATES[state]}</Badge>
        <span className="min-w-0 truncate text-text-2">
          {waitsBehind !== null
            ? 'behind an earlier one'
            : latest && `${outcomeText(latest)}, ${durationText(latest.ms)}`}
        </span>
        <RelativeTime time={createdAt} className="ml-auto shrink-0 text-text-3" />
        <Button
          variant="ghost"
          size="sm"
          aria-label={`${action}: ${subject}`}
          title={waitsBehind === null ? undefined : 'An earlier delivery is sent first'}
          disabled={!canSend || waitsBehind !== null}
          pending={isSending}
          onClick={onSend}
        >
          {!isSending && <SendIcon />}
          {action}
        </Button>
      </div>
      <div {...panel} className="pb-3 pl-4.5">
        {isOpen && <Details delivery={delivery} />}
      </div>
    </li>
  )
}

function Details({ delivery }: { delivery: WebhookDelivery }) {
  const { body, answer, tries } = delivery
  return (
    <div className="@container grid grid-cols-[minmax(0,1fr)] gap-3">
      {tries.length > 0 && <TryList delivery={delivery} />}
      <Text label="Body" text={formatJson(body) ?? body} />
      <p className="text-xs text-text-3">
        Its id, <code className="font-mono">{delivery.messageId}</code>, is the same at each try. Texts of
        runs are not kept here; they are added when it is sent, if the webhook includes them.
      </p>
      <Text label="Answer" text={answer} />
    </div>
  )
}

function Text({ label, text }: { label: string; text: string | null }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-center justify-between text-xs font-medium text-text-3">
        {label}
        {text && <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />}
      </div>
      {text ? (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so has to be reached by keyboard.
          tabIndex={0}
          className="prompt-text max-h-64 overflow-auto rounded-control border border-line bg-inset px-3 py-2 text-[13px] whitespace-pre-wrap wrap-anywhere"
        >
          {text}
        </pre>
      ) : (
        <p className="text-sm text-text-3">{text === '' ? 'Empty' : 'None'}</p>
      )}
    </div>
  )
}
