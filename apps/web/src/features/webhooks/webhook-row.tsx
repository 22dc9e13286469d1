import {
  WEBHOOK_FAILING_DAYS,
  WEBHOOK_RECENT,
  WEBHOOK_TRIES,
  type Webhook,
  type WebhookDeliveryState,
} from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import {
  CheckIcon,
  CircleAlertIcon,
  CirclePauseIcon,
  ClockIcon,
  PauseIcon,
  PencilIcon,
  PlayIcon,
  RefreshCwIcon,
  SendIcon,
  Trash2Icon,
} from 'lucide-react'
import { FoldArrow } from '../../components/fold-arrow.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { RelativeTime, useMinute } from '../../components/time/relative-time.tsx'
import { Time } from '../../components/time/time.tsx'
import { Button } from '../../components/ui/button.tsx'
import { DropdownMenuItem, DropdownMenuSeparator } from '../../components/ui/dropdown-menu.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { TableCell, TableRow } from '../../components/ui/table.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { errorReason } from '../../lib/errors.ts'
import { formatRelativeTime } from '../../lib/text/format-time.ts'
import { toast, toastFailure } from '../../lib/toast.ts'
import { type FoldState, useFold } from '../../lib/use-fold.ts'
import { cn } from '../../lib/utils.ts'
import { mailStateQuery } from '../accounts/mail-state.queries.ts'
import { COLUMN_COUNT, foldedOf } from './columns.ts'
import { DeliveryList } from './delivery-list.tsx'
import { TryList } from './try-list.tsx'
import { durationText, eventsText, isWell, nameOf, outcomeText, shortOutcome } from './webhook-texts.ts'
import { deliveriesQuery, useChangeWebhook, useSendAgain, useSendTest } from './webhooks.queries.ts'

const stateLine = 'flex min-w-0 items-center gap-1.5 [&_svg]:size-4 [&_svg]:shrink-0'

const MINUTE_MS = 60_000

const BARS: Record<WebhookDeliveryState, string> = {
  delivered: 'border-ok bg-ok',
  failed: 'border-danger bg-danger',
  dropped: 'border-line-strong bg-hover',
  waiting: 'border-line-strong',
}

export interface WebhookRowProps {
  webhook: Webhook
  onEdit: () => void
  onRotate: () => void
  onRemove: () => void
}

export function WebhookRow({ webhook, ...actions }: WebhookRowProps) {
  const fold = useFold()
  const again = useSendAgain()
  const { id, retried } = webhook
  const sending = again.isPending ? again.variables.deliveryId : undefined
  const send = (deliveryId: number) =>
    again.mutate({ id, deliveryId }, { onError: toastFailure('Couldn’t resend', errorReason) })
  return (
    <>
      <TableRow data-webhook-id={id} className="hover:bg-hover/60">
        <TableCell className="py-2">
          <Endpoint webhook={webhook} fold={fold} />
        </TableCell>
        <TableCell className={cn('py-2 text-text-2', foldedOf('Events'))}>
          <span>{eventsText(webhook.events)}</span>
        </TableCell>
        <TableCell className={foldedOf('Secret')}>
          <MaskedSecret webhook={webhook} onRotate={actions.onRotate} />
        </TableCell>
        <TableCell className={foldedOf('Last 20 deliveries')}>
          <DeliveryBars webhook={webhook} />
        </TableCell>
        <TableCell className={foldedOf('State')}>
          <WebhookState webhook={webhook} />
        </TableCell>
        <TableCell className="pr-2 pl-1">
          <div className="flex items-center justify-end gap-1 text-text-3">
            {retried && webhook.isActive && (
              <Button
                variant="secondary"
                size="sm"
                pending={sending === retried.id}
                onClick={() => send(retried.id)}
                className="@max-lg:hidden"
              >
                Try now
              </Button>
            )}
            <Actions webhook={webhook} {...actions} />
          </div>
        </TableCell>
      </TableRow>
      {webhook.isActive && retried && !fold.isOpen && (
        <tr className="border-t-0!">
          <td colSpan={COLUMN_COUNT}>
            <RetriedNote webhook={{ ...webhook, retried }} />
          </td>
        </tr>
      )}
      <tr {...fold.panel} className="border-t-0!">
        <td colSpan={COLUMN_COUNT} className="bg-inset px-(--card-x) py-3.5">
          {fold.isOpen && <DeliveryList webhook={webhook} sending={sending} onSend={send} />}
        </td>
      </tr>
    </>
  )
}

interface EndpointProps {
  webhook: Webhook
  fold: FoldState
}

function Endpoint({ webhook, fold: { isOpen, button } }: EndpointProps) {
  const { url, events, sendsTexts, leftOutAt } = webhook
  return (
    <div className="flex min-w-0 items-start gap-1">
      <FoldArrow isOpen={isOpen} className="mt-[3px]" />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        <button
          type="button"
          {...button}
          title={url}
          className="relative -ml-5 block max-w-[calc(100%+20px)] justify-self-start rounded-tag pl-5 text-left after:absolute after:inset-x-0 after:-inset-y-1.5 hover:underline pointer-coarse:after:-inset-y-3"
        >
          <code className="line-clamp-2 font-mono text-[13px] font-medium wrap-anywhere">{url}</code>
        </button>
        <p className="hidden text-xs text-text-2 @max-2xl:block">{eventsText(events)}</p>
        <div className="hidden @max-3xl:block">
          <DeliveryBars webhook={webhook} />
        </div>
        <div className="hidden text-xs @max-lg:block">
          <WebhookState webhook={webhook} />
        </div>
        {sendsTexts && <p className="text-xs text-text-3">with texts of runs</p>}
        {leftOutAt !== null && (
          <p className="text-xs text-warn">
            Some events were dropped <RelativeTime time={leftOutAt} /> because too many were queued.
          </p>
        )}
      </div>
    </div>
  )
}

function MaskedSecret({ webhook, onRotate }: { webhook: Webhook; onRotate: () => void }) {
  return (
    <span className="flex items-center gap-1 text-text-2">
      <code className="font-mono text-[13px] whitespace-nowrap">
        whsec_<span aria-hidden="true">••••••••</span>
      </code>
      <Hint text="Rotate">
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Rotate the secret of ${nameOf(webhook)}`}
          onClick={onRotate}
        >
          <RefreshCwIcon className="size-3.5" />
        </Button>
      </Hint>
    </span>
  )
}

function Actions({ webhook, onEdit, onRotate, onRemove }: WebhookRowProps) {
  const { id, isActive } = webhook
  const change = useChangeWebhook()
  const test = useSendTest()
  const sendTest = () =>
    test.mutate(id, {
      onSuccess: () => toast({ title: 'A test is on its way', description: nameOf(webhook) }),
      onError: toastFailure('Couldn’t send the test', errorReason),
    })
  const toggle = () =>
    change.mutate({ id, isActive: !isActive }, { onError: toastFailure('Couldn’t change it', errorReason) })
  return (
    <MoreMenu of={nameOf(webhook)} className="text-text-3" pending={change.isPending || test.isPending}>
      <DropdownMenuItem disabled={!isActive} onSelect={sendTest}>
        <SendIcon />
        Send a test
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={onEdit}>
        <PencilIcon />
        Edit
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={onRotate}>
        <RefreshCwIcon />
        Rotate secret
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={toggle}>
        {isActive ? <PauseIcon /> : <PlayIcon />}
        {isActive ? 'Switch off' : 'Switch on'}
      </DropdownMenuItem>
      <DropdownMenuSeparator />
      <DropdownMenuItem variant="destructive" onSelect={onRemove}>
        <Trash2Icon />
        Remove
      </DropdownMenuItem>
    </MoreMenu>
  )
}

function DeliveryBars({ webhook: { recent, retried } }: { webhook: Webhook }) {
  const missing = Math.max(0, WEBHOOK_RECENT - recent.length)
  return (
    <div role="img" aria-label={barsLabel(recent)} className="flex h-4 gap-0.5">
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

function barsLabel(recent: Webhook['recent']): string {
  if (recent.length === 0) return 'Nothing sent yet'
  const countOf = (state: WebhookDeliveryState) => recent.filter((each) => each.state === state).length
  const parts = [
    `${countOf('delivered')} delivered`,
    countOf('failed') > 0 && `${countOf('failed')} given up`,
    countOf('dropped') > 0 && `${countOf('dropped')} dropped`,
    countOf('waiting') > 0 && `${countOf('waiting')} waiting`,
  ]
  return `Last ${recent.length} deliveries: ${parts.filter((part) => part !== false).join(', ')}`
}

function RetriedNote({ webhook }: { webhook: Webhook & { retried: NonNullable<Webhook['retried']> } }) {
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
          After try {WEBHOOK_TRIES} Catenary gives up{mail?.isSetUp ? ' and emails you.' : '.'}
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
  return `${deliveries} behind it, to keep the order. `
}

function WebhookState({ webhook }: { webhook: Webhook }) {
  const { isActive, offReason, retried, latestTry, waiting } = webhook
  if (!isActive) {
    return (
      <span className={`${stateLine} text-text-2`}>
        <CirclePauseIcon aria-hidden className={offReason === null ? '' : 'text-danger'} />
        <span className={offReason === null ? '' : 'text-danger'}>{offText(offReason)}</span>
      </span>
    )
  }
  if (retried && latestTry) {
    return (
      <span className={`${stateLine} text-danger`}>
        <CircleAlertIcon aria-hidden />
        {shortOutcome(latestTry)}, try {retried.tries} of {WEBHOOK_TRIES}
      </span>
    )
  }
  if (latestTry === null) {
    return (
      <span className={`${stateLine} text-text-3`}>
        {waiting > 0 && <ClockIcon aria-hidden />}
        {waiting > 0 ? 'On its way' : 'Nothing sent yet'}
      </span>
    )
  }
  const isOk = isWell(latestTry)
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3">
      <span className={`${stateLine} ${isOk ? 'text-ok' : 'text-danger'}`}>
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
