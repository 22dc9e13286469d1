import { NAME_MAX, renameLabelRequest } from '@catenary/contracts'
import { useState } from 'react'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import type { LabelDialogProps } from './label-dialog.ts'
import { LABEL_TEXTS } from './label-texts.ts'
import { useRenameLabel } from './labels.queries.ts'

/** Gives a category or tag another name. */
export function RenameLabelDialog({ kind, label, onClose }: LabelDialogProps) {
  const { singular } = LABEL_TEXTS[kind]
  const [name, setName] = useState(label.name)
  const [refusal, setRefusal] = useState<string>()
  const rename = useRenameLabel()
  const submit = () => {
    const parsed = renameLabelRequest.safeParse({ name })
    if (!parsed.success) return setRefusal(parsed.error.issues[0]?.message)
    if (parsed.data.name === label.name) return onClose()
    return rename.mutate(
      { kind, label, ...parsed.data },
      {
        onSuccess: ({ name }) => {
          toast({ title: 'Renamed', description: `“${label.name}” is now “${name}”.` })
          onClose()
        },
        onError: (error) => setRefusal(errorReason(error)),
      },
    )
  }
  return (
    <FormDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Rename ${singular}`}
      submitLabel="Rename"
      pending={rename.isPending}
      dirty={name !== label.name}
      className="max-w-[420px]"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label="Name" error={refusal} hint="If the name is taken, merge the two instead.">
        <Input value={name} maxLength={NAME_MAX} onChange={(event) => setName(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
