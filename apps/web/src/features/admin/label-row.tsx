import { EllipsisIcon, MergeIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx'
import { DeleteLabelDialog } from './delete-label-dialog.tsx'
import type { LabelDialogProps } from './label-dialog.ts'
import { usesText } from './label-texts.ts'
import { MergeLabelDialog } from './merge-label-dialog.tsx'
import { RenameLabelDialog } from './rename-label-dialog.tsx'

const DIALOGS = { rename: RenameLabelDialog, merge: MergeLabelDialog, delete: DeleteLabelDialog }

/** One category or tag: its name, what has it, and what can be done to it. */
export function LabelRow({ kind, label, others }: Omit<LabelDialogProps, 'onClose'>) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null)
  const Dialog = opened && DIALOGS[opened]
  return (
    <li className="flex items-center gap-2 py-1.5 pr-2 pl-3.5">
      <p className="min-w-0 flex-1 text-sm font-medium wrap-anywhere">{label.name}</p>
      <p className="text-xs whitespace-nowrap text-text-3">{usesText(kind, label.uses)}</p>
      <DropdownMenu>
        <DropdownMenuTrigger>
          <Button variant="ghost" size="icon-sm" aria-label={`Change ${label.name}`}>
            <EllipsisIcon />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
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
        </DropdownMenuContent>
      </DropdownMenu>
      {Dialog && <Dialog kind={kind} label={label} others={others} onClose={() => setOpened(null)} />}
    </li>
  )
}
