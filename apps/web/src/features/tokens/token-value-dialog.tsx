import { type CreatedOwnToken, TOKEN_TEXTS } from '@catenary/contracts'
import { CheckIcon, CopyIcon, TerminalIcon, TriangleAlertIcon } from 'lucide-react'
import { useState } from 'react'
import { writeToClipboard } from '../../components/copy/copy-text.ts'
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
import { toast } from '../../lib/toast.ts'
import { curlCommand } from './curl-command.ts'
import { nameOf } from './token-texts.ts'

export type NewTokenValue = Pick<CreatedOwnToken, 'id' | 'name' | 'tokenType' | 'token' | 'canReveal'> & {
  chainId?: number | null
}

export interface TokenValueDialogProps {
  created: NewTokenValue
  onClose: () => void
}

export function TokenValueDialog({ created, onClose }: TokenValueDialogProps) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    try {
      await writeToClipboard(created.token)
      setIsCopied(true)
      toast({ title: TOKEN_TEXTS.copied, description: `“${nameOf(created)}” is on the clipboard.` })
    } catch {
      const { copyFailed: title, copyFailedBody: description } = TOKEN_TEXTS
      toast({ title, description, variant: 'destructive' })
    }
  }
  const command = curlCommand(created)
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      {/* A click beside it would take away what was not copied yet. */}
      <DialogContent onInteractOutside={(event) => event.preventDefault()}>
        <DialogHeader>
          <DialogTitle>Your new token</DialogTitle>
        </DialogHeader>
        <DialogBody className="gap-3">
          <Banner variant="warn" icon={<TriangleAlertIcon />}>
            {TOKEN_TEXTS.shownOnce}
          </Banner>
          <Field label={`Value of “${nameOf(created)}”`}>
            <Textarea
              readOnly
              rows={2}
              value={created.token}
              onFocus={({ currentTarget }) => currentTarget.select()}
              className="prompt-text resize-none bg-inset wrap-anywhere"
            />
          </Field>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="text-xs text-text-3">
              {created.canReveal
                ? 'It can be copied again from the list of tokens.'
                : 'This server keeps no values: who loses this one needs a new one.'}
            </p>
            {command !== null && <CopyCommand command={command} />}
          </div>
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

function CopyCommand({ command }: { command: string }) {
  const { isCopied, copy } = useCopied({ text: command })
  return (
    <Button variant="secondary" size="sm" onClick={() => void copy()}>
      {isCopied ? <CheckIcon /> : <TerminalIcon />}
      Copy curl command
    </Button>
  )
}
