import type { Variable } from '@catenary/contracts'
import { CopyIcon, EllipsisIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import { CopyButton } from '../../components/copy-button.tsx'
import { copyText } from '../../components/copy-text.ts'
import { Button } from '../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx'
import { toast } from '../../components/ui/toast.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'

const COPY_TOAST_MS = 1500

export interface VariableActionsProps {
  variable: Variable
  onEdit: () => void
  onDelete: () => void
  /** Phones and touch. */
  compact: boolean
  /** A guest sees every button, those that need an account disabled. */
  isGuest: boolean
}

/** Copy, edit and delete of one row. */
export function VariableActions({ variable, onEdit, onDelete, compact, isGuest }: VariableActionsProps) {
  const { canEdit, canDelete } = variable
  const reference = `$<${variable.name}>`
  if (compact) {
    return (
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`More: ${variable.name}`}
            className="size-11 text-text-3"
          >
            <EllipsisIcon />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem onSelect={() => void copyFromMenu(reference)}>
            <CopyIcon />
            Copy {reference}
          </DropdownMenuItem>
          <DropdownMenuItem disabled={!canEdit} onSelect={onEdit}>
            <PencilIcon />
            Edit
          </DropdownMenuItem>
          <DropdownMenuItem disabled={!canDelete} variant="destructive" onSelect={onDelete}>
            <Trash2Icon />
            Delete
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
    )
  }
  return (
    <div className="flex justify-end opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100">
      <CopyButton
        text={reference}
        label={`Copy ${reference}`}
        onCopied={() => toastCopied(reference)}
        className="text-text-3"
      />
      {(canEdit || isGuest) && (
        <Hint text="Edit">
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Edit ${variable.name}`}
            disabled={!canEdit}
            onClick={onEdit}
            className="text-text-3"
          >
            <PencilIcon />
          </Button>
        </Hint>
      )}
      {(canDelete || isGuest) && (
        <Hint text="Delete">
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Delete ${variable.name}`}
            disabled={!canDelete}
            onClick={onDelete}
            className="text-text-3"
          >
            <Trash2Icon />
          </Button>
        </Hint>
      )}
    </div>
  )
}

function toastCopied(reference: string): void {
  toast({
    title: 'Copied to clipboard',
    description: `${reference} has been copied to clipboard`,
    duration: COPY_TOAST_MS,
  })
}

async function copyFromMenu(reference: string): Promise<void> {
  if (await copyText(reference)) toastCopied(reference)
}
