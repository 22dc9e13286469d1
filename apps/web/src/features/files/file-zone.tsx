import { UploadIcon } from 'lucide-react'
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { cn } from '../../lib/utils.ts'

export interface FileZoneProps {
  label: string
  accept: readonly string[]
  isEmpty: boolean
  isPending: boolean
  isRefused: boolean
  onTake: (file: File | undefined) => void
  onBusyChange?: ((isBusy: boolean) => void) | undefined
  actions?: ReactNode
  children: ReactNode
}

export function FileZone(props: FileZoneProps) {
  const { label, accept, isEmpty, isPending, isRefused, onTake, onBusyChange, actions, children } = props
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    if (!isPending) return
    onBusyChange?.(true)
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
      onTake(event.dataTransfer.files[0])
    },
  }
  return (
    <div
      {...drag}
      className={cn(
        'flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 rounded-control border border-line-strong p-2.5 text-sm',
        isEmpty && 'border-dashed',
        isOver && 'border-accent bg-accent-soft',
        isRefused && 'border-danger',
      )}
    >
      <div className="min-w-0 flex-1 basis-52">{children}</div>
      <div className="flex items-center gap-1">
        <Button variant="secondary" size="sm" pending={isPending} onClick={() => input.current?.click()}>
          {!isPending && <UploadIcon />}
          {isEmpty ? 'Choose a file' : 'Replace'}
        </Button>
        {actions}
      </div>
      <input
        ref={input}
        type="file"
        aria-label={label}
        tabIndex={-1}
        accept={accept.join(',')}
        className="sr-only"
        onChange={(event) => {
          onTake(event.target.files?.[0])
          // Otherwise choosing the same file again would be no change.
          event.target.value = ''
        }}
      />
    </div>
  )
}

export function FileLine({ icon, title, note }: { icon: ReactNode; title: string; note: string }) {
  return (
    <div className="flex min-w-0 items-center gap-3 [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-text-3">
      {icon}
      <div className="min-w-0">
        <p className="truncate text-text-2" title={title}>
          {title}
        </p>
        <p className="text-xs text-text-3">{note}</p>
      </div>
    </div>
  )
}
