import { PlainDialog } from '../plain-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Textarea } from '../ui/textarea.tsx'

export interface CopyByHandDialogProps {
  text: string
  onClose: () => void
}

export default function CopyByHandDialog({ text, onClose }: CopyByHandDialogProps) {
  return (
    <PlainDialog
      title="Copy it yourself"
      footer={
        <Button variant="secondary" onClick={onClose}>
          Done
        </Button>
      }
      onClose={onClose}
    >
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
    </PlainDialog>
  )
}
