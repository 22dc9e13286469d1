import { type AttachmentKind, kindOfMedia, MEDIA_TYPES, type StoredFile } from '@catenary/contracts'
import { FileTextIcon, ImageIcon, LinkIcon } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { RemoveButton } from '../../components/remove-button.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Input } from '../../components/ui/input.tsx'
import { errorReason } from '../../lib/errors.ts'
import { isEnter } from '../../lib/keyboard/pressed.ts'
import { useModels } from '../model-settings/models.ts'
import { MEDIA_WORDS, readMedia } from './attachments.ts'
import { FileLine, FileZone } from './file-zone.tsx'
import { useStoreFile } from './files.queries.ts'

const AND = new Intl.ListFormat('en', { type: 'conjunction' })

export interface MediaFieldProps {
  kind: AttachmentKind
  shown: ReactNode | null
  onChoose: (file: StoredFile) => void
  onClear?: (() => void) | undefined
  onBusyChange?: ((isBusy: boolean) => void) | undefined
  label: string
  error?: string | undefined
}

export function MediaField(props: MediaFieldProps) {
  const { kind, shown, onClear, onBusyChange, label, error } = props
  const section = useRef<HTMLElement>(null)
  const [asksAddress, setAsksAddress] = useState(false)
  const { take, fetchFrom, isPending, problem } = useTakenMedia(props)
  useMediaPaste({ zone: section, onPaste: take })
  const Icon = kind === 'image' ? ImageIcon : FileTextIcon
  const { drop, bound } = MEDIA_WORDS[kind]
  const reason = problem ?? error
  return (
    <section ref={section} data-media-field aria-label={label} className="grid min-w-0 gap-1.5">
      <FileZone
        label={`${label}: file to upload`}
        accept={MEDIA_TYPES[kind]}
        isEmpty={shown === null}
        isPending={isPending}
        isRefused={reason !== undefined}
        onTake={take}
        onBusyChange={onBusyChange}
        actions={
          <>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label="From an address"
              aria-expanded={asksAddress}
              onClick={() => setAsksAddress(!asksAddress)}
            >
              <LinkIcon />
            </Button>
            {shown !== null && onClear && <RemoveButton label="Remove the file" onClick={onClear} />}
          </>
        }
      >
        {shown ?? <FileLine icon={<Icon aria-hidden="true" />} title={drop} note={bound} />}
      </FileZone>
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

function useTakenMedia({ kind, onChoose }: Pick<MediaFieldProps, 'kind' | 'onChoose'>) {
  const { mutateAsync: store, isPending } = useStoreFile()
  const [problem, setProblem] = useState<string>()
  const keep = async (request: Parameters<typeof store>[0]): Promise<boolean> => {
    setProblem(undefined)
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

/** Which of the models that are set up can't see what is chosen; nothing where all can, or none is known to. */
function BlindModels({ kind }: { kind: AttachmentKind }) {
  const models = useModels().filter(({ configured }) => configured)
  const ability = kind === 'image' ? 'images' : 'documents'
  const blind = models.filter(({ capabilities }) => capabilities?.[ability] === false)
  if (blind.length === 0) return null
  return (
    <p className="text-xs text-text-3">
      {AND.format(blind.map(({ label }) => label))} can’t see {kind === 'image' ? 'images' : 'PDFs'}.
    </p>
  )
}

/** Asks for the address of an image or a PDF; Enter fetches it, and sends no form around it. */
function MediaAddress({
  isPending,
  onFetch,
}: {
  isPending: boolean
  onFetch: (url: string) => Promise<void>
}) {
  const [url, setUrl] = useState('')
  const fetchNow = () => {
    if (url.trim() !== '' && !isPending) void onFetch(url.trim())
  }
  return (
    <div className="flex min-w-0 gap-1.5">
      <Input
        aria-label="Address"
        type="url"
        inputMode="url"
        placeholder="https://example.org/picture.png"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        onKeyDown={(event) => {
          if (!isEnter(event)) return
          event.preventDefault()
          fetchNow()
        }}
        className="min-w-0 flex-1"
      />
      <Button variant="secondary" pending={isPending} disabled={url.trim() === ''} onClick={fetchNow}>
        Fetch
      </Button>
    </div>
  )
}

/** Takes a file from the clipboard: where several places could, the one with the focus does. */
function useMediaPaste({
  zone,
  onPaste,
}: {
  zone: RefObject<HTMLElement | null>
  onPaste: (file: File) => unknown
}): void {
  const take = useRef(onPaste)
  useEffect(() => {
    take.current = onPaste
  })
  useEffect(() => {
    const hear = (event: ClipboardEvent) => {
      const file = event.clipboardData?.files[0]
      if (!file || event.defaultPrevented) return
      const isOnly = document.querySelectorAll('[data-media-field]').length === 1
      if (!isOnly && zone.current?.contains(document.activeElement) !== true) return
      event.preventDefault()
      take.current(file)
    }
    document.addEventListener('paste', hear)
    return () => document.removeEventListener('paste', hear)
  }, [zone])
}
