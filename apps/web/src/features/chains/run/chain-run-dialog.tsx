import { USER_INPUT_MAX } from '@catenary/contracts'
import type { ChainWarning } from '@catenary/domain'
import { TriangleAlertIcon } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'

export interface ChainRunDialogProps {
  warnings: readonly ChainWarning[]
  /** What the field begins with; null when no step has a place for an input. */
  input: string | null
  onRun: (input: string | null) => void
  onClose: () => void
}

/** Asks for the input of a run, and says what is worth another look before it. */
export function ChainRunDialog({ warnings, input, onRun, onClose }: ChainRunDialogProps) {
  const [text, setText] = useState(input ?? '')
  return (
    <FormDialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Execute Chain"
      description={input === null ? 'The chain can run, but check this first.' : undefined}
      submitLabel={warnings.length > 0 ? 'Run anyway' : 'Execute Chain'}
      onSubmit={(event) => {
        event.preventDefault()
        onRun(input === null ? null : text)
      }}
    >
      {input !== null && (
        <Field label="Input" hint="Stands for {{input}} and {{input_context}} in the steps.">
          <Textarea
            rows={5}
            maxLength={USER_INPUT_MAX}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="max-h-[40vh]"
          />
        </Field>
      )}
      {warnings.length > 0 && (
        <Banner role="note" aria-label="Warnings" icon={<TriangleAlertIcon className="self-start" />}>
          <ul className="grid gap-1">
            {warnings.map(({ kind, step, name, message }) => (
              <li key={`${kind}.${step}.${name}`}>
                {step !== null && <span className="font-medium">Step {step + 1}: </span>}
                {message}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </FormDialog>
  )
}
