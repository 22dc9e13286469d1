import type { Attachment, AttachmentKind, StoredFile } from '@catenary/contracts'
import { useState } from 'react'
import { fileNameOf } from './attachments.ts'
import { storedFilePath } from './files.queries.ts'
import { MediaField } from './media-field.tsx'
import { AttachmentFacts } from './thumbnail.tsx'

/** An image or a PDF that the library holds, and where its bytes are. */
export interface StoredMedia {
  attachment: Attachment
  src: string
}

/** An image or PDF variable in a run. */
interface MediaOfRun {
  name: string
  /** The key of the file that was chosen, or as `stored`. */
  value: string
  /** The mark of the library's own; null: it has none. */
  stored: string | null
  media: StoredMedia | null
}

export interface MediaValueProps {
  kind: AttachmentKind
  field: MediaOfRun
  /** Gets the key of the file. */
  onChange: (value: string) => void
  onBusyChange?: ((isBusy: boolean) => void) | undefined
}

/** The stored image or PDF of a name, or one for this run only. */
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
