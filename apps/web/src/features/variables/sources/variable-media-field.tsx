import { type AttachmentKind, kindOfMedia, type Variable } from '@catenary/contracts'
import type { UseFormReturn } from 'react-hook-form'
import { storedFilePath } from '../../files/files.queries.ts'
import { MediaField } from '../../files/media-field.tsx'
import { AttachmentFacts } from '../../files/thumbnail.tsx'
import { variableFile } from '../media-variables.ts'
import type { VariableForm } from '../variable-fields.tsx'

export interface VariableMediaFieldProps {
  kind: AttachmentKind
  form: UseFormReturn<VariableForm>
  variable: Variable | null
  onBusyChange: (isBusy: boolean) => void
}

const LABELS = { image: 'Image', document: 'PDF' }
const HINTS = {
  image:
    'Location, device and other metadata are removed. Without a file, each run or call supplies its own.',
  document:
    'It is stored unchanged, with its title and author. Without a file, each run or call supplies its own.',
}

export function VariableMediaField({ kind, form, variable, onBusyChange }: VariableMediaFieldProps) {
  const media = form.watch('media')
  const held = media && kindOfMedia(media.mediaType) === kind ? media : null
  const isStored = held !== null && held.fileId === variable?.attachment?.fileId
  const src = isStored ? variableFile(variable) : storedFilePath(held?.fileId ?? 0)
  const set = (value: VariableForm['media']) =>
    form.setValue('media', value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  return (
    <div className="grid gap-1.5">
      <p aria-hidden="true" className="text-xs font-medium text-text-2">
        {LABELS[kind]}
      </p>
      <MediaField
        kind={kind}
        label={LABELS[kind]}
        shown={held && <AttachmentFacts attachment={held} src={src} />}
        onChoose={set}
        onClear={() => set(null)}
        onBusyChange={onBusyChange}
        error={form.formState.errors.content?.message}
      />
      <p className="text-xs text-text-3">{HINTS[kind]}</p>
    </div>
  )
}
