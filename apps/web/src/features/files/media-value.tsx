import type { Attachment, AttachmentKind, StoredFile } from '@catenary/contracts'
import { useState } from 'react'
import { fileNameOf } from './attachments.ts'
import { storedFilePath } from './files.queries.ts'
import { MediaField } from './media-field.tsx'
import { AttachmentFacts } from './thumbnail.tsx'

export interface StoredMedia {
  attachment: Attachment
  src: string
}

interface MediaOfRun {
  name: string
  value: string
  stored: string | null
  media: StoredMedia | null
}

export interface MediaValueProps {
  kind: AttachmentKind
  field: MediaOfRun
  onChange: (value: string) => void
  onBusyChange?: ((isBusy: boolean) => void) | undefined
}

export function MediaValue({ kind, field, onChange, onBusyChange }: MediaValueProps) {
  const { name, value, stored, media } = field
  const [chosen, setChosen] = useState<StoredFile | null>(null)
  const shown = () => {
    if (value === '') return null
    if (chosen?.filePath === value) {
      return <AttachmentFacts attachment={chosen} src={storedFilePath(chosen.fileId)} />
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
      onClear={value === (stored ?? '') ? undefined : () => onChange(stored ?? '')}
      onBusyChange={onBusyChange}
    />
  )
}
