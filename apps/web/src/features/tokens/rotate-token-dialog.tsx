import { TOKEN_TEXTS } from '@catenary/contracts'
import { useState } from 'react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Field } from '../../components/ui/field.tsx'
import { toast, toastFailure } from '../../lib/toast.ts'
import type { NewTokenValue } from './curl-command.ts'
import { type NamedToken, nameOf } from './token-texts.ts'
import { useRotateToken } from './tokens.queries.ts'

const OVERLAPS = [
  { minutes: 0, label: 'End it now' },
  { minutes: 60, label: 'For an hour' },
  { minutes: 24 * 60, label: 'For a day' },
  { minutes: 7 * 24 * 60, label: 'For a week' },
  { minutes: 30 * 24 * 60, label: 'For 30 days' },
]
const DEFAULT_OVERLAP = 24 * 60

export interface RotateTokenDialogProps {
  token: NamedToken
  onRotated: (rotated: NewTokenValue) => void
  onClose: () => void
}

export function RotateTokenDialog({ token, onRotated, onClose }: RotateTokenDialogProps) {
  const { mutate, isPending } = useRotateToken()
  const [minutes, setMinutes] = useState(String(DEFAULT_OVERLAP))
  return (
    <FormDialog
      onClose={onClose}
      title={`Rotate “${nameOf(token)}”`}
      description="It gets a new value and keeps its name, limits and figures."
      submitLabel="Rotate Token"
      pendingLabel="Rotating..."
      pending={isPending}
      onSubmit={() =>
        mutate(
          { id: token.id, overlapMinutes: Number(minutes) },
          {
            onSuccess(rotated) {
              toast({ title: TOKEN_TEXTS.rotated, description: `“${nameOf(token)}” has a new value.` })
              onRotated(rotated)
              onClose()
            },
            onError: toastFailure(TOKEN_TEXTS.errorUpdating),
          },
        )
      }
    >
      <Field label="The old value works on" hint="Leaves time to replace the old value everywhere.">
        <ChoiceSelect
          choices={OVERLAPS.map(({ minutes, label }) => ({ value: String(minutes), label }))}
          value={minutes}
          onChange={setMinutes}
        />
      </Field>
    </FormDialog>
  )
}
