import { MergeIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { DropdownMenuItem } from '../../../components/ui/dropdown-menu.tsx'
import { DeleteEntryDialog } from './delete-entry-dialog.tsx'
import type { EntryDialogProps } from './entry-dialog.ts'
import { MergeEntryDialog } from './merge-entry-dialog.tsx'
import { RenameEntryDialog } from './rename-entry-dialog.tsx'
import { usesText } from './taxonomy-texts.ts'

const DIALOGS = { rename: RenameEntryDialog, merge: MergeEntryDialog, delete: DeleteEntryDialog }

export function EntryRow({ kind, entry, others }: Omit<EntryDialogProps, 'onClose'>) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null)
  const Dialog = opened && DIALOGS[opened]
  return (
    <li className="flex items-center gap-2 py-1.5 pr-2 pl-3.5">
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium wrap-anywhere">{entry.name}</p>
        {entry.sameAs && (
          <p className="text-xs text-text-3 wrap-anywhere">
            Looks the same as the older “{entry.sameAs.name}”. Rename it, or merge it into that one.
          </p>
        )}
      </div>
      <p className="text-xs whitespace-nowrap text-text-3">{usesText(kind, entry.uses)}</p>
      <MoreMenu aria-label={`Change ${entry.name}`}>
        <DropdownMenuItem onSelect={() => setOpened('rename')}>
          <PencilIcon />
          Rename
        </DropdownMenuItem>
        <DropdownMenuItem disabled={others.length < 2} onSelect={() => setOpened('merge')}>
          <MergeIcon />
          Merge into another
        </DropdownMenuItem>
        <DropdownMenuItem variant="destructive" onSelect={() => setOpened('delete')}>
          <Trash2Icon />
          Delete
        </DropdownMenuItem>
      </MoreMenu>
      {Dialog && <Dialog kind={kind} entry={entry} others={others} onClose={() => setOpened(null)} />}
    </li>
  )
}
