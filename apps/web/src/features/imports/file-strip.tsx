import type { ImportOutcome } from '@catenary/contracts'
import { FileBracesIcon, FileWarningIcon, UploadIcon } from 'lucide-react'
import { RemoveButton } from '../../components/remove-button.tsx'
import { formatBytes } from '../../lib/text/bytes.ts'
import { countText } from '../../lib/text/count-text.ts'
import { cn } from '../../lib/utils.ts'
import type { ChosenFile } from './chosen-files.ts'
import { aboutFile } from './import-plan.ts'

export interface FileStripProps {
  files: readonly ChosenFile[]
  read: ImportOutcome['files'] | undefined
  onRemove: (index: number) => void
  onChoose: () => void
}

/** Beyond these the strip would push the report away. */
const SHOWN = 6

export function FileStrip({ files, read, onRemove, onChoose }: FileStripProps) {
  const shown = files.slice(0, SHOWN)
  const hidden = files.length - shown.length
  return (
    <div className="flex flex-wrap gap-2.5 border-b border-line px-5 pb-4">
      <ul aria-label="Files" className="contents">
        {shown.map((file, index) => (
          // Two files may have one name.
          // biome-ignore lint/suspicious/noArrayIndexKey: a file has nothing else that is its own.
          <FileChip key={index} file={file} read={read?.[index]} onRemove={() => onRemove(index)} />
        ))}
        {hidden > 0 && (
          <li className="grid min-h-12 place-items-center rounded-control border border-line bg-inset px-3 text-sm text-text-2">
            and {countText(hidden, 'more file')}
          </li>
        )}
      </ul>
      <button
        type="button"
        onClick={onChoose}
        className="flex min-h-12 min-w-[200px] flex-1 items-center justify-center gap-2 rounded-control border border-dashed border-line-strong text-sm text-text-2 hover:bg-hover hover:text-text max-md:w-full max-md:flex-none"
      >
        <UploadIcon aria-hidden="true" className="size-4" />
        Drop more, or choose
      </button>
    </div>
  )
}

function FileChip({
  file,
  read,
  onRemove,
}: {
  file: ChosenFile
  read: ImportOutcome['files'][number] | undefined
  onRemove: () => void
}) {
  const hasProblem = read !== undefined && read.problem !== null
  const Icon = hasProblem ? FileWarningIcon : FileBracesIcon
  return (
    <li
      className={cn(
        'flex max-w-[380px] min-w-0 items-center gap-2.5 rounded-control border py-1.5 pr-1.5 pl-3 max-md:w-full max-md:max-w-none',
        hasProblem ? 'border-danger/40 bg-danger-soft' : 'border-line bg-inset',
      )}
    >
      <Icon
        aria-hidden="true"
        className={cn('size-4 shrink-0', hasProblem ? 'text-danger' : 'text-text-2')}
      />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate font-mono text-xs font-medium" title={file.name}>
          {file.name}
        </p>
        <p className={cn('text-xs', hasProblem ? 'text-danger wrap-anywhere' : 'truncate text-text-2')}>
          {read ? aboutFile(read, formatBytes(file.bytes)) : formatBytes(file.bytes)}
        </p>
      </div>
      <RemoveButton label={`Remove ${file.name}`} onClick={onRemove} />
    </li>
  )
}
