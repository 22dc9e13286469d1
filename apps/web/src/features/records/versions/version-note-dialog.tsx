import { versionNoteRequest } from '@catenary/contracts'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useSaveNote } from './version-labels.queries.ts'
import { VersionNoteField } from './version-note-field.tsx'
import type { Versioned } from './versioned.ts'

export interface VersionNoteDialogProps {
  record: Versioned
  number: number
  /** What it is now. */
  note: string
  onClose: () => void
}

/** Edits a version's note. */
export function VersionNoteDialog({ record, number, note: before, onClose }: VersionNoteDialogProps) {
  const [note, setNote] = useState(before)
  const [refusal, setRefusal] = useState<string>()
  const save = useSaveNote(record)
  const submit = () => {
    const parsed = versionNoteRequest.safeParse({ note })
    if (!parsed.success) return setRefusal(parsed.error.issues[0]?.message)
    return save.mutate(
      { number, ...parsed.data },
      {
        onSuccess: () => {
          toast({ title: 'Note saved', description: `Added to version ${number}.` })
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
      title={`Note on version ${number}`}
      submitLabel="Save note"
      pending={save.isPending}
      dirty={note !== before}
      className="max-w-[480px]"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <VersionNoteField
        version={number}
        error={refusal}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </FormDialog>
  )
}
