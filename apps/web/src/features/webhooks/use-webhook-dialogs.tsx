import { type CreatedWebhook, WEBHOOK_OVERLAP_HOURS, type Webhook } from '@catenary/contracts'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useOpenItem } from '../../lib/open-item.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { toastFailure } from './toast-failure.ts'
import { WebhookFormDialog } from './webhook-form-dialog.tsx'
import { nameOf } from './webhook-texts.ts'
import { useRemoveWebhook, useRotateSecret } from './webhooks.queries.ts'

/** The dialogs of the list; which form is open is in the address, as `?webhook=new` or `?webhook=5`. */
export function useWebhookDialogs(webhooks: readonly Webhook[] | undefined) {
  const { open, show } = useOpenItem('webhook')
  const [asked, setAsked] = useState<{ act: 'rotate' | 'remove'; webhook: Webhook } | null>(null)
  const [created, setCreated] = useState<CreatedWebhook | null>(null)
  const opened = open?.kind === 'open' ? webhooks?.find(({ id }) => id === open.id) : null
  const ask = (act: 'rotate' | 'remove') => (webhook: Webhook) => setAsked({ act, webhook })
  return {
    add: () => show({ kind: 'create' }),
    edit: ({ id }: Webhook) => show({ kind: 'open', id }),
    rotate: ask('rotate'),
    remove: ask('remove'),
    dialogs: (
      <>
        {open !== null && opened !== undefined && (
          <WebhookFormDialog
            key={opened?.id ?? 'new'}
            webhook={opened}
            onCreated={setCreated}
            onClose={() => show(null)}
          />
        )}
        {asked?.act === 'rotate' && (
          <RotateDialog webhook={asked.webhook} onRotated={setCreated} onClose={() => setAsked(null)} />
        )}
        {asked?.act === 'remove' && <RemoveDialog webhook={asked.webhook} onClose={() => setAsked(null)} />}
        {created && <SecretDialog created={created} onClose={() => setCreated(null)} />}
      </>
    ),
  }
}

interface AskedProps {
  webhook: Webhook
  onClose: () => void
}

function RotateDialog({
  webhook,
  onRotated,
  onClose,
}: AskedProps & { onRotated: (rotated: CreatedWebhook) => void }) {
  const { mutate, isPending } = useRotateSecret()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      variant="primary"
      title="Give it a new secret?"
      description={`Messages to ${nameOf(webhook)} are signed by the new and the former secret for ${WEBHOOK_OVERLAP_HOURS} hours, then by the new one alone.`}
      confirmLabel="Rotate Secret"
      pending={isPending}
      onConfirm={() =>
        mutate(webhook.id, {
          onSuccess: onRotated,
          onError: toastFailure('The secret was not rotated'),
          onSettled: onClose,
        })
      }
    />
  )
}

function RemoveDialog({ webhook, onClose }: AskedProps) {
  const { mutate, isPending } = useRemoveWebhook()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Remove ${nameOf(webhook)}?`}
      description="Nothing more is sent there, and the list of its deliveries goes with it."
      confirmLabel="Remove"
      pending={isPending}
      onConfirm={() =>
        mutate(webhook.id, { onError: toastFailure('The endpoint was not removed'), onSettled: onClose })
      }
    />
  )
}
