import { WEBHOOK_TRIES, type Webhook } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { PlusIcon } from 'lucide-react'
import { useId } from 'react'
import { LearnMore } from '../../components/learn-more.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { TableBody, TableHead, TableHeader } from '../../components/ui/table.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { cn } from '../../lib/utils.ts'
import { COLUMNS } from './columns.ts'
import { useWebhookDialogs } from './use-webhook-dialogs.tsx'
import { WebhookRow } from './webhook-row.tsx'
import { webhooksQuery } from './webhooks.queries.ts'

export function WebhooksSection() {
  const headingId = useId()
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery)
  const { add, edit, rotate, remove, dialogs } = useWebhookDialogs(webhooks)
  return (
    <section
      aria-labelledby={headingId}
      className="@container min-w-0 rounded-card border border-line bg-surface"
    >
      <div className="flex min-h-12 flex-wrap items-center gap-x-2 py-2 pr-2.5 pl-3.5">
        <h2 id={headingId} className="text-md font-semibold">
          Webhooks
        </h2>
        <p className="text-sm text-text-3 @max-xl:order-last @max-xl:w-full">{noteOf(webhooks)}</p>
        <Button variant="secondary" size="sm" className="ml-auto" onClick={add}>
          <PlusIcon />
          Add endpoint
        </Button>
      </div>
      <div className="border-t border-line">
        {webhooks === undefined ? (
          <Pending error={error} onRetry={() => void refetch()} />
        ) : webhooks.length === 0 ? (
          <Empty />
        ) : (
          <table aria-labelledby={headingId} className="w-full table-fixed border-collapse text-left text-sm">
            <TableHeader>
              <tr>
                {COLUMNS.map(({ name, width, folded }) => (
                  <TableHead key={name} className={cn(width, folded?.head)}>
                    <span>{name}</span>
                  </TableHead>
                ))}
                <TableHead className="w-[124px] @max-lg:w-[52px] pointer-coarse:@max-lg:w-[60px]">
                  <span className="sr-only">Actions</span>
                </TableHead>
              </tr>
            </TableHeader>
            <TableBody>
              {webhooks.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  webhook={webhook}
                  onEdit={() => edit(webhook)}
                  onRotate={() => rotate(webhook)}
                  onRemove={() => remove(webhook)}
                />
              ))}
            </TableBody>
          </table>
        )}
      </div>
      {dialogs}
    </section>
  )
}

function noteOf(webhooks: Webhook[] | undefined): string {
  const how = `signed, each delivery tried up to ${WEBHOOK_TRIES} times within a day`
  if (!webhooks || webhooks.length === 0) return how
  return `${webhooks.length === 1 ? '1 endpoint' : `${webhooks.length} endpoints`}, ${how}`
}

function Empty() {
  return (
    <div className="grid justify-items-center gap-0.5 px-4 py-7 text-center">
      <p className="text-sm text-text">No endpoint yet.</p>
      <p className="text-sm text-text-2">
        Add one to be told when a run fails, a label moves or a budget runs out.
      </p>
      <LearnMore about="webhooks" />
    </div>
  )
}

function Pending({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!error) {
    return (
      <div role="status" className="grid gap-2 px-4 py-4">
        <span className="sr-only">Loading webhooks</span>
        <Skeleton className="h-8" />
        <Skeleton className="h-8" />
      </div>
    )
  }
  return (
    <div role="alert" className="grid justify-items-center gap-2 px-4 py-6 text-center text-sm">
      <p className="font-medium text-danger">Failed to load webhooks</p>
      <p className="text-text-2 wrap-anywhere">{errorMessage(error)}</p>
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
