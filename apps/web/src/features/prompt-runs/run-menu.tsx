import {
  CopyIcon,
  EllipsisIcon,
  HistoryIcon,
  LinkIcon,
  ListChecksIcon,
  PencilIcon,
  ScaleIcon,
} from 'lucide-react'
import type { ContentView } from '../../components/content-viewer/content-viewer.tsx'
import { copyText } from '../../components/copy/copy-text.ts'
import { Button } from '../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx'
import { toast } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import type { Run } from './run.ts'

export interface RunMenuProps {
  run: Run
  contentView: ContentView
  onContentViewChange: (view: ContentView) => void
  onEdit?: (() => void) | undefined
  onShowVersions?: (() => void) | undefined
  onUseInChain?: () => void
  onEvaluate?: (() => void) | undefined
  onShowTests?: (() => void) | undefined
  onSaveTest?: (() => void) | undefined
  className?: string
}

export function RunMenu({
  run,
  contentView,
  onContentViewChange,
  onEdit,
  onShowVersions,
  onUseInChain,
  onEvaluate,
  onShowTests,
  onSaveTest,
  className,
}: RunMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label="Answer" className={cn('size-11', className)}>
          <EllipsisIcon className="size-5" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem disabled={run.text === ''} onSelect={() => void copy(run.text)}>
          <CopyIcon />
          Copy answer
        </DropdownMenuItem>
        {onEdit && (
          <DropdownMenuItem onSelect={onEdit}>
            <PencilIcon />
            Edit
          </DropdownMenuItem>
        )}
        {onShowVersions && (
          <DropdownMenuItem onSelect={onShowVersions}>
            <HistoryIcon />
            Versions
          </DropdownMenuItem>
        )}
        {onUseInChain && (
          <DropdownMenuItem onSelect={onUseInChain}>
            <LinkIcon />
            Use in a chain
          </DropdownMenuItem>
        )}
        {onShowTests && (
          <DropdownMenuItem onSelect={onShowTests}>
            <ListChecksIcon />
            Tests
          </DropdownMenuItem>
        )}
        {onEvaluate && (
          <DropdownMenuItem onSelect={onEvaluate}>
            <ScaleIcon />
            Evaluations
          </DropdownMenuItem>
        )}
        {onSaveTest && (
          <DropdownMenuItem onSelect={onSaveTest}>
            <ListChecksIcon />
            Save as test
          </DropdownMenuItem>
        )}
        <DropdownMenuSeparator />
        <DropdownMenuLabel>Show the answer as</DropdownMenuLabel>
        <DropdownMenuRadioGroup
          value={contentView}
          onValueChange={(view) => onContentViewChange(view as ContentView)}
        >
          <DropdownMenuRadioItem value="rendered">Rendered</DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="source">Source</DropdownMenuRadioItem>
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

async function copy(text: string): Promise<void> {
  if (!(await copyText(text))) return
  toast({ title: 'Copied to clipboard', description: 'The answer has been copied to clipboard' })
}
