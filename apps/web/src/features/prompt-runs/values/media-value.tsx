import type { AttachmentKind, StoredFile } from '@catenary/contracts'
import { useState } from 'react'
import { MediaField } from '../../shared/files/media-field.tsx'
import { AttachmentFacts } from '../../shared/files/thumbnail.tsx'
import { fileNameOf } from '../../shared/variables/sources/variable-file.ts'
import type { VariableField } from '../run-form.ts'

export interface MediaValueProps {
  kind: AttachmentKind
  field: VariableField
  /** Gets the key of the file. */
  onChange: (value: string) => void
}

/** The stored image or PDF of a name, or one for this run only. */
export function MediaValue({ kind, field: { name, value, stored, media }, onChange }: MediaValueProps) {
  const [chosen, setChosen] = useState<StoredFile | null>(null)
  const shown = () => {
    if (value === '') return null
    if (chosen?.filePath === value) {
      return <AttachmentFacts attachment={chosen} src={`/api/files/${chosen.fileId}`} />
    }
    if (media !== null && value === stored) {
      return <AttachmentFacts attachment={media.attachment} src={media.src} />
    }
    return <p className="truncate">{fileNameOf(value)}</p>
  }
  return (
    <MediaField
      kind={kind}
      label={name}
      shown={shown()}
      onChoose={(file) => {
        setChosen(file)
        onChange(file.filePath)
      }}
      onClear={value === stored ? undefined : () => onChange(stored ?? '')}
    />
  )
}
