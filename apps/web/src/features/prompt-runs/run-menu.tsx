import {
  CopyIcon,
  HistoryIcon,
  LinkIcon,
  ListChecksIcon,
  ListPlusIcon,
  PencilIcon,
  ScaleIcon,
} from 'lucide-react'
import type { ContentView } from '../../components/content-viewer/content-viewer.tsx'
import { copyText } from '../../components/copy/copy-text.ts'
import { MoreMenu } from '../../components/more-menu.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from '../../components/ui/dropdown-menu.tsx'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { toast } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import type { Run } from './run.ts'
import { SaveCopyButton } from './saving/copy-saving.tsx'
import type { SavedCopy } from './saving/use-saved-copy.ts'

/** What can be done with the prompt on its page. */
interface PromptActs {
  version: number
  onEdit: (() => void) | undefined
  onShowVersions: (() => void) | undefined
  onUseInChain: () => void
  onEvaluate: (() => void) | undefined
  onShowTests: (() => void) | undefined
  onSaveTest: (() => void) | undefined
}

export interface RunMenuProps {
  title: string
  run: Run
  contentView: ContentView
  onContentViewChange: (view: ContentView) => void
  acts?: PromptActs
  className?: string
}

/** On a narrow screen everything but running is in one menu. */
export function RunMenu({ title, run, contentView, onContentViewChange, acts, className }: RunMenuProps) {
  return (
    <MoreMenu of={title} size="icon" className={cn('size-11 [&_svg]:size-5!', className)}>
      <DropdownMenuItem disabled={run.text === ''} onSelect={() => void copyAnswer(run.text)}>
        <CopyIcon />
        Copy answer
      </DropdownMenuItem>
      {acts?.onEdit && (
        <DropdownMenuItem onSelect={acts.onEdit}>
          <PencilIcon />
          Edit
        </DropdownMenuItem>
      )}
      {acts && <PromptActItems {...acts} />}
      <DropdownMenuSeparator />
      <DropdownMenuLabel>Show the answer as</DropdownMenuLabel>
      <DropdownMenuRadioGroup
        value={contentView}
        onValueChange={(view) => onContentViewChange(view as ContentView)}
      >
        <DropdownMenuRadioItem value="rendered">Rendered</DropdownMenuRadioItem>
        <DropdownMenuRadioItem value="source">Source</DropdownMenuRadioItem>
      </DropdownMenuRadioGroup>
    </MoreMenu>
  )
}

interface ExecuteActionsProps {
  title: string
  copy: SavedCopy | null
  acts: PromptActs
}

/** The header of a wide page: saving or editing stand there, the rest is one press away. */
export function ExecuteActions({ title, copy, acts }: ExecuteActionsProps) {
  const editKeys = useAriaKeys('edit')
  return (
    <>
      {acts.onEdit && (
        <Button variant="secondary" aria-keyshortcuts={editKeys} onClick={acts.onEdit}>
          <PencilIcon />
          Edit
          <ShortcutKeys id="edit" />
        </Button>
      )}
      {copy && <SaveCopyButton copy={copy} />}
      <MoreMenu of={title} size="icon" className="-mr-1.5">
        <PromptActItems {...acts} />
      </MoreMenu>
    </>
  )
}

function PromptActItems({
  version,
  onShowVersions,
  onUseInChain,
  onEvaluate,
  onShowTests,
  onSaveTest,
}: PromptActs) {
  return (
    <>
      {onEvaluate && (
        <DropdownMenuItem onSelect={onEvaluate}>
          <ScaleIcon />
          Evaluations
          <span className="ml-auto pl-6 text-xs text-text-3">models or versions</span>
        </DropdownMenuItem>
      )}
      {onShowTests && (
        <DropdownMenuItem onSelect={onShowTests}>
          <ListChecksIcon />
          Tests
        </DropdownMenuItem>
      )}
      {onSaveTest && (
        <DropdownMenuItem onSelect={onSaveTest}>
          <ListPlusIcon />
          Save as test
        </DropdownMenuItem>
      )}
      <DropdownMenuItem onSelect={onUseInChain}>
        <LinkIcon />
        Use in a chain
      </DropdownMenuItem>
      {onShowVersions && (
        <DropdownMenuItem onSelect={onShowVersions}>
          <HistoryIcon />
          Versions
          <span className="ml-auto pl-6 text-xs text-text-3">{version}</span>
        </DropdownMenuItem>
      )}
    </>
  )
}

export async function copyAnswer(text: string | Promise<string>): Promise<void> {
  if (!(await copyText(text))) return
  toast({ title: 'Copied to clipboard', description: 'The answer has been copied to clipboard' })
}
