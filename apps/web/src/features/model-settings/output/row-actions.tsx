import type { useSortable } from '@dnd-kit/sortable'
import { ArrowDownIcon, ArrowUpIcon, GripVerticalIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { RemoveButton } from '../../../components/remove-button.tsx'
import { Button } from '../../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx'

type Sortable = ReturnType<typeof useSortable>

export interface RowActionsProps {
  name: string
  index: number
  count: number
  handle: { ref: Sortable['setActivatorNodeRef']; listeners: Sortable['listeners'] }
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

export function RowActions({ name, index, count, handle, onMove, onRemove }: RowActionsProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex shrink-0 items-center justify-end">
      <RemoveButton
        label={`Remove ${name}`}
        onClick={onRemove}
        className="pointer-fine:opacity-0 pointer-fine:group-focus-within/field:opacity-100 pointer-fine:group-hover/field:opacity-100"
      />
      <DropdownMenu open={isOpen} onOpenChange={setIsOpen}>
        <DropdownMenuTrigger>
          <Button
            ref={handle.ref}
            variant="ghost"
            size="icon-sm"
            aria-label={`Move ${name}`}
            aria-keyshortcuts="ArrowUp ArrowDown"
            title="Drag, or press ↑ or ↓"
            data-row-handle
            onPointerDown={(event) => {
              handle.listeners?.onPointerDown?.(event)
              // A press may become a drag: the menu opens as it ends.
              event.preventDefault()
            }}
            onClick={() => setIsOpen(true)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
              event.preventDefault()
              onMove(event.key === 'ArrowUp' ? -1 : 1)
            }}
            className="cursor-grab touch-none text-text-3 active:cursor-grabbing"
          >
            <GripVerticalIcon />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem disabled={index === 0} onSelect={() => onMove(-1)}>
            <ArrowUpIcon />
            Move up
          </DropdownMenuItem>
          <DropdownMenuItem disabled={index === count - 1} onSelect={() => onMove(1)}>
            <ArrowDownIcon />
            Move down
          </DropdownMenuItem>
          <DropdownMenuItem variant="destructive" onSelect={onRemove}>
            <Trash2Icon />
            Remove
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
    </div>
  )
}
