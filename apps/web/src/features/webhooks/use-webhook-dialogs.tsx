import { type CreatedWebhook, WEBHOOK_OVERLAP_HOURS, type Webhook } from '@catenary/contracts'
import { CheckIcon, CopyIcon, TriangleAlertIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useCopied } from '../../components/copy/use-copied.ts'
import { PlainDialog } from '../../components/plain-dialog.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { errorReason } from '../../lib/errors.ts'
import { useOpenItem } from '../../lib/open-item.ts'
import { toastFailure } from '../../lib/toast.ts'
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
      onClose={onClose}
      variant="primary"
      title="Rotate the secret?"
      description={`Messages to ${nameOf(webhook)} are signed with both secrets for ${WEBHOOK_OVERLAP_HOURS} hours, then only with the new one.`}
      confirmLabel="Rotate Secret"
      pending={isPending}
      onConfirm={() =>
        mutate(webhook.id, {
          onSuccess: onRotated,
          onError: toastFailure('Couldn’t rotate the secret', errorReason),
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
      onClose={onClose}
      title={`Remove ${nameOf(webhook)}?`}
      description="Nothing more will be sent there, and its delivery history will be deleted."
      confirmLabel="Remove"
      pending={isPending}
      onConfirm={() =>
        mutate(webhook.id, {
          onError: toastFailure('Couldn’t remove the endpoint', errorReason),
          onSettled: onClose,
        })
      }
    />
  )
}

function SecretDialog({ created, onClose }: { created: CreatedWebhook; onClose: () => void }) {
  const { isCopied, copy } = useCopied({ text: created.secret })
  return (
    <PlainDialog
      title="The secret of your webhook"
      // A click beside it would take away what was not copied yet.
      onInteractOutside={(event) => event.preventDefault()}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Done
          </Button>
          <Button onClick={() => void copy()}>
            {isCopied ? <CheckIcon /> : <CopyIcon />}
            Copy to Clipboard
          </Button>
        </>
      }
      onClose={onClose}
    >
      <Banner variant="warn" icon={<TriangleAlertIcon />}>
        It is shown only once. Copy it now.
      </Banner>
      <Field label={`Signing secret of ${nameOf(created)}`}>
        <Textarea
          readOnly
          rows={2}
          value={created.secret}
          onFocus={({ currentTarget }) => currentTarget.select()}
          className="prompt-text resize-none bg-inset wrap-anywhere"
        />
      </Field>
      <p className="text-xs text-text-3">
        Use it to verify messages (Standard Webhooks).
        {created.formerSecretUntil !== null && ' For a day, messages are also signed with the old secret.'}
      </p>
    </PlainDialog>
  )
}
