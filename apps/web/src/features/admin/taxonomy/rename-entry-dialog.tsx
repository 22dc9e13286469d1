import { NAME_MAX, renameEntryRequest } from '@catenary/contracts'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import type { EntryDialogProps } from './entry-dialog.ts'
import { useRenameEntry } from './taxonomy.queries.ts'
import { TAXONOMY_TEXTS } from './taxonomy-texts.ts'

export function RenameEntryDialog({ kind, entry, onClose }: EntryDialogProps) {
  const { singular } = TAXONOMY_TEXTS[kind]
  const [name, setName] = useState(entry.name)
  const [refusal, setRefusal] = useState<string>()
  const rename = useRenameEntry()
  const submit = () => {
    const parsed = renameEntryRequest.safeParse({ name })
    if (!parsed.success) return setRefusal(parsed.error.issues[0]?.message)
    if (parsed.data.name === entry.name) return onClose()
    return rename.mutate(
      { kind, entry, ...parsed.data },
      {
        onSuccess: ({ name }) => {
          toast({ title: 'Renamed', description: `“${entry.name}” is now “${name}”.` })
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
      dirty={name !== entry.name}
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
