import type { CreatedWebhook } from '@catenary/contracts'
import { CheckIcon, CopyIcon, TriangleAlertIcon } from 'lucide-react'
import { useCopied } from '../../components/copy/use-copied.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { nameOf } from './webhook-texts.ts'

/** A new secret, in the only place where it is shown. */
export function SecretDialog({ created, onClose }: { created: CreatedWebhook; onClose: () => void }) {
  const { isCopied, copy } = useCopied({ text: created.secret })
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      {/* A click beside it would take away what was not copied yet. */}
      <DialogContent onInteractOutside={(event) => event.preventDefault()}>
        <DialogHeader>
          <DialogTitle>The secret of your webhook</DialogTitle>
        </DialogHeader>
        <DialogBody className="gap-3">
          <Banner variant="warn" icon={<TriangleAlertIcon />}>
            It is shown this once. Copy it now.
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
            Your endpoint checks with it that a message is from here, as Standard Webhooks says.
            {created.formerSecretUntil !== null && ' For a day the former secret signs too.'}
          </p>
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={onClose}>
            Done
          </Button>
          <Button onClick={() => void copy()}>
            {isCopied ? <CheckIcon /> : <CopyIcon />}
            Copy to Clipboard
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
