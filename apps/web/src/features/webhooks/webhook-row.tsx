import type { Webhook } from '@catenary/contracts'
import {
  ChevronRightIcon,
  PauseIcon,
  PencilIcon,
  PlayIcon,
  RefreshCwIcon,
  SendIcon,
  Trash2Icon,
} from 'lucide-react'
import { useId, useState } from 'react'
import { MoreMenu } from '../../components/more-menu.tsx'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { Button } from '../../components/ui/button.tsx'
import { DropdownMenuItem, DropdownMenuSeparator } from '../../components/ui/dropdown-menu.tsx'
import { TableCell, TableRow } from '../../components/ui/table.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { toast } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import { COLUMN_COUNT, foldedOf } from './columns.ts'
import { DeliveryBars } from './delivery-bars.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { RetriedNote } from './retried-note.tsx'
import { toastFailure } from './toast-failure.ts'
import { WebhookState } from './webhook-state.tsx'
import { eventsText, nameOf } from './webhook-texts.ts'
import { useChangeWebhook, useSendAgain, useSendTest } from './webhooks.queries.ts'

export interface WebhookRowProps {
  webhook: Webhook
  onEdit: () => void
  onRotate: () => void
  onRemove: () => void
}

/** One endpoint; its address opens what was sent there. */
export function WebhookRow({ webhook, ...actions }: WebhookRowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const panelId = useId()
  const again = useSendAgain()
  const { id, retried } = webhook
  const sending = again.isPending ? again.variables.deliveryId : undefined
  const send = (deliveryId: number) =>
    again.mutate({ id, deliveryId }, { onError: toastFailure('It was not sent') })
  return (
    <>
      <TableRow data-webhook-id={id} className="hover:bg-hover/60">
        <TableCell className="py-2">
          <Endpoint webhook={webhook} isOpen={isOpen} panelId={panelId} onToggle={() => setIsOpen(!isOpen)} />
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
      {webhook.isActive && retried && !isOpen && (
        <tr className="border-t-0!">
          <td colSpan={COLUMN_COUNT}>
            <RetriedNote webhook={{ ...webhook, retried }} />
          </td>
        </tr>
      )}
      <tr id={panelId} hidden={!isOpen} className="border-t-0!">
        <td colSpan={COLUMN_COUNT} className="bg-inset px-(--card-x) py-3.5">
          {isOpen && <DeliveryList webhook={webhook} sending={sending} onSend={send} />}
        </td>
      </tr>
    </>
  )
}

interface EndpointProps {
  webhook: Webhook
  isOpen: boolean
  panelId: string
  onToggle: () => void
}

/** Its address, and below it what a narrow list folds away. */
function Endpoint({ webhook, isOpen, panelId, onToggle }: EndpointProps) {
  const { url, events, sendsTexts, leftOutAt } = webhook
  return (
    <div className="flex min-w-0 items-start gap-1">
      <ChevronRightIcon
        aria-hidden
        className={cn('mt-[3px] size-3.5 shrink-0 text-text-3', isOpen && 'rotate-90')}
      />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={onToggle}
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
            Events were left out <RelativeTime time={leftOutAt} />: too many waited.
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
      onError: toastFailure('The test was not sent'),
    })
  const toggle = () =>
    change.mutate({ id, isActive: !isActive }, { onError: toastFailure('It was not switched') })
  return (
    <MoreMenu
      aria-label={`More: ${nameOf(webhook)}`}
      className="text-text-3"
      pending={change.isPending || test.isPending}
    >
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
