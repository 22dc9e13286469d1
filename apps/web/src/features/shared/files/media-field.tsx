import { type AttachmentKind, kindOfMedia, MEDIA_TYPES, type StoredFile } from '@catenary/contracts'
import { FileTextIcon, ImageIcon, LinkIcon, UploadIcon, XIcon } from 'lucide-react'
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { cn } from '../../../lib/utils.ts'
import { MEDIA_WORDS, readMedia } from './attachments.ts'
import { BlindModels } from './blind-models.tsx'
import { useStoreFile } from './files.queries.ts'
import { MediaAddress } from './media-address.tsx'
import { useMediaPaste } from './use-media-paste.ts'

export interface MediaFieldProps {
  kind: AttachmentKind
  /** What there is now, as it is shown; null: nothing. */
  shown: ReactNode | null
  onChoose: (file: StoredFile) => void
  /** Takes it away; absent where that is not possible. */
  onClear?: (() => void) | undefined
  onBusyChange?: (isBusy: boolean) => void
  label: string
  error?: string | undefined
}

/** One image or PDF: chosen, dropped, pasted or fetched from an address; it is kept at once. */
export function MediaField(props: MediaFieldProps) {
  const { kind, shown, onClear, onBusyChange, label, error } = props
  const zone = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const [asksAddress, setAsksAddress] = useState(false)
  const { take, fetchFrom, isPending, problem } = useTakenMedia(props)
  useMediaPaste({ zone, onPaste: take })
  useEffect(() => {
    onBusyChange?.(isPending)
    return () => onBusyChange?.(false)
  }, [isPending, onBusyChange])
  const drag = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      void take(event.dataTransfer.files[0])
    },
  }
  const Icon = kind === 'image' ? ImageIcon : FileTextIcon
  const reason = problem ?? error
  return (
    <section aria-label={label} className="grid min-w-0 gap-1.5">
      <div
        ref={zone}
        data-media-field
        {...drag}
        className={cn(
          'flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 rounded-control border border-line-strong p-2.5 text-sm',
          shown === null && 'border-dashed',
          isOver && 'border-accent bg-accent-soft',
          reason && 'border-danger',
        )}
      >
        <div className="min-w-0 flex-1 basis-52">
          {shown ?? (
            <div className="flex min-w-0 items-center gap-3">
              <Icon aria-hidden="true" className="size-5 shrink-0 text-text-3" />
              <div className="min-w-0">
                <p className="text-text-2">{MEDIA_WORDS[kind].drop}</p>
                <p className="text-xs text-text-3">{MEDIA_WORDS[kind].bound}</p>
              </div>
            </div>
          )}
        </div>
        <div className="flex items-center gap-1">
          <Button variant="secondary" size="sm" pending={isPending} onClick={() => input.current?.click()}>
            {!isPending && <UploadIcon />}
            {shown === null ? 'Choose a file' : 'Replace'}
          </Button>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="From an address"
            aria-expanded={asksAddress}
            onClick={() => setAsksAddress(!asksAddress)}
          >
            <LinkIcon />
          </Button>
          {shown !== null && onClear && (
            <Button variant="ghost" size="icon-sm" aria-label="Take the file away" onClick={onClear}>
              <XIcon />
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          aria-label={`${label}: file to upload`}
          tabIndex={-1}
          accept={MEDIA_TYPES[kind].join(',')}
          className="sr-only"
          onChange={(event) => {
            void take(event.target.files?.[0])
            // Or choosing the same file once more would be no change.
            event.target.value = ''
          }}
        />
      </div>
      {asksAddress && (
        <MediaAddress
          isPending={isPending}
          onFetch={async (url) => {
            if (await fetchFrom(url)) setAsksAddress(false)
          }}
        />
      )}
      <BlindModels kind={kind} />
      {reason && (
        <p role="alert" className="text-xs text-danger wrap-anywhere">
          {reason}
        </p>
      )}
    </section>
  )
}

/** Keeps what is given, if it is of the kind, and says why not. */
function useTakenMedia({ kind, onChoose }: Pick<MediaFieldProps, 'kind' | 'onChoose'>) {
  const { mutateAsync: store, isPending } = useStoreFile()
  const [problem, setProblem] = useState<string | null>(null)
  const keep = async (request: Parameters<typeof store>[0]): Promise<boolean> => {
    setProblem(null)
    try {
      const stored = await store(request)
      const isOfKind = kindOfMedia(stored.mediaType) === kind
      if (isOfKind) onChoose(stored)
      else setProblem(kind === 'image' ? 'This is a PDF, not an image.' : 'This is an image, not a PDF.')
      return isOfKind
    } catch (error) {
      setProblem(errorReason(error))
      return false
    }
  }
  return {
    isPending,
    problem,
    fetchFrom: (url: string) => keep({ url }),
    async take(file: File | undefined): Promise<void> {
      if (!file || isPending) return
      const read = await readMedia({ file, kind })
      if ('problem' in read) setProblem(read.problem)
      else await keep(read.request)
    },
  }
}
