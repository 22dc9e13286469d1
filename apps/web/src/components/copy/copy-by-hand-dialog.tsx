import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent, DialogFooter, DialogHeader, DialogTitle } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Textarea } from '../ui/textarea.tsx'

export interface CopyByHandDialogProps {
  text: string
  onClose: () => void
}

export default function CopyByHandDialog({ text, onClose }: CopyByHandDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Copy it yourself</DialogTitle>
        </DialogHeader>
        <DialogBody>
          <Field
            label="Text to copy"
            hint="Your browser blocked copying. The text is selected: press Ctrl C, or ⌘ C on a Mac."
          >
            <Textarea
              readOnly
              rows={8}
              value={text}
              onFocus={({ currentTarget }) => currentTarget.select()}
              className="prompt-text bg-inset wrap-anywhere"
            />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={onClose}>
            Done
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
