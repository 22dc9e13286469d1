import { type Attachment, kindOfMedia } from '@catenary/contracts'
import { FileTextIcon, ImageOffIcon } from 'lucide-react'
import { useState } from 'react'
import { describeAttachment } from './attachments.ts'

export interface AttachmentFactsProps {
  attachment: Attachment
  src: string
  name?: string | undefined
}

export function AttachmentFacts({ attachment, src, name }: AttachmentFactsProps) {
  const { fileName } = attachment
  return (
    <div className="flex min-w-0 items-center gap-3">
      <a
        href={src}
        target="_blank"
        rel="noreferrer"
        aria-label={`Open ${fileName}`}
        className="shrink-0 rounded-control outline-offset-2"
      >
        <Picture attachment={attachment} src={src} />
      </a>
      <div className="grid min-w-0 gap-0.5 text-sm">
        {name !== undefined && (
          <code className="w-fit max-w-full truncate rounded-[4px] bg-ref-soft px-1 text-xs text-ref">
            {`$<${name}>`}
          </code>
        )}
        <p dir="auto" className="truncate" title={fileName}>
          {fileName}
        </p>
        <p className="text-xs text-text-3">{describeAttachment(attachment)}</p>
      </div>
    </div>
  )
}

const FRAME = 'grid h-11 w-16 place-items-center overflow-hidden rounded-control border border-line bg-inset'

function Picture({ attachment: { mediaType }, src }: Pick<AttachmentFactsProps, 'attachment' | 'src'>) {
  const [isLost, setIsLost] = useState(false)
  if (kindOfMedia(mediaType) === 'document') {
    return (
      <span className={FRAME}>
        <FileTextIcon aria-hidden="true" className="size-5 text-text-3" />
      </span>
    )
  }
  return (
    <span className={FRAME}>
      {isLost ? (
        <ImageOffIcon aria-hidden="true" className="size-5 text-text-3" />
      ) : (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setIsLost(true)}
          className="size-full object-contain"
        />
      )}
    </span>
  )
}
