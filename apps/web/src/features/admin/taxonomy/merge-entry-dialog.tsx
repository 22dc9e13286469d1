import { isFound } from '@catenary/contracts'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { SearchPicker } from '../../../components/forms/search-picker.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import type { EntryDialogProps } from './entry-dialog.ts'
import { useMergeEntry } from './taxonomy.queries.ts'
import { TAXONOMY_TEXTS, usesText } from './taxonomy-texts.ts'

export function MergeEntryDialog({ kind, entry, others, onClose }: EntryDialogProps) {
  const { singular, plural } = TAXONOMY_TEXTS[kind]
  const [into, setInto] = useState('')
  const merge = useMergeEntry()
  const choices = others.filter(({ id }) => id !== entry.id)
  const find = (value: string) => choices.find(({ id }) => String(id) === value)
  const chosen = find(into)
  const submit = () => {
    if (chosen === undefined) return
    merge.mutate(
      { kind, entry, into: chosen.id },
      {
        onSuccess: ({ name }) => {
          toast({ title: 'Merged', description: `“${entry.name}” is now part of “${name}”.` })
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Merge “${entry.name}”`}
      description={`Everything that has it (${usesText(kind, entry.uses)}) gets the other ${singular} instead, and “${entry.name}” is deleted.`}
      submitLabel="Merge"
      pending={merge.isPending}
      submitDisabled={chosen === undefined}
      error={merge.error && errorReason(merge.error)}
      className="max-w-[420px]"
      onSubmit={submit}
    >
      <Field label="Into">
        <SearchPicker
          label={plural}
          placeholder="Search by name"
          nothingFound={`No matching ${plural.toLowerCase()}`}
          value={into}
          find={(search) => choices.filter(({ name }) => isFound(name, search)).map(({ id }) => String(id))}
          describe={(value) => {
            const entry = find(value)
            return entry === undefined
              ? { title: `Choose a ${singular}` }
              : { title: entry.name, hint: usesText(kind, entry.uses) }
          }}
          onChange={setInto}
        />
      </Field>
    </FormDialog>
  )
}
