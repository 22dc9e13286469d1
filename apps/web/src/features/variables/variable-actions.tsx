import type { ListedVariable } from '@catenary/contracts'
import { CopyIcon, EyeIcon, type LucideIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { copyText } from '../../components/copy/copy-text.ts'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Button } from '../../components/ui/button.tsx'
import { DropdownMenuItem } from '../../components/ui/dropdown-menu.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { toast } from '../../lib/toast.ts'
import { HandOverItem } from '../records/hand-overs/open-hand-over.tsx'

const COPY_TOAST_MS = 1500

export interface VariableActionsProps {
  variable: ListedVariable
  onPreview: () => void
  onEdit: () => void
  onDelete: () => void
  compact: boolean
  /** A guest sees every button, those that need an account disabled. */
  isGuest: boolean
}

export function VariableActions({ compact, ...props }: VariableActionsProps) {
  return compact ? <ActionsMenu {...props} /> : <ActionButtons {...props} />
}

type ActionsProps = Omit<VariableActionsProps, 'compact'>

function ActionsMenu({ variable, onPreview, onEdit, onDelete }: ActionsProps) {
  const { id, name, owner, canEdit, canDelete } = variable
  const reference = `$<${name}>`
  return (
    <MoreMenu of={name} size="icon" className="size-11 text-text-3">
      <DropdownMenuItem onSelect={onPreview}>
        <EyeIcon />
        Preview
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={() => void copyFromMenu(reference)}>
        <CopyIcon />
        Copy {reference}
      </DropdownMenuItem>
      <DropdownMenuItem disabled={!canEdit} onSelect={onEdit}>
        <PencilIcon />
        Edit
      </DropdownMenuItem>
      <HandOverItem id={id} owner={owner} />
      <DropdownMenuItem disabled={!canDelete} variant="destructive" onSelect={onDelete}>
        <Trash2Icon />
        Delete
      </DropdownMenuItem>
    </MoreMenu>
  )
}

function ActionButtons({ variable, onPreview, onEdit, onDelete, isGuest }: ActionsProps) {
  const { name, canEdit, canDelete } = variable
  const reference = `$<${name}>`
  return (
    <div className="flex justify-end opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100">
      <RowButton verb="Preview" name={name} Icon={EyeIcon} onClick={onPreview} />
      <CopyButton
        text={reference}
        label={`Copy ${reference}`}
        onCopied={() => toastCopied(reference)}
        className="text-text-3"
      />
      {(canEdit || isGuest) && (
        <RowButton verb="Edit" name={name} Icon={PencilIcon} disabled={!canEdit} onClick={onEdit} />
      )}
      {(canDelete || isGuest) && (
        <RowButton verb="Delete" name={name} Icon={Trash2Icon} disabled={!canDelete} onClick={onDelete} />
      )}
    </div>
  )
}

interface RowButtonProps {
  verb: string
  name: string
  Icon: LucideIcon
  disabled?: boolean
  onClick: () => void
}

function RowButton({ verb, name, Icon, disabled = false, onClick }: RowButtonProps) {
  return (
    <Hint text={verb}>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`${verb} ${name}`}
        disabled={disabled}
        onClick={onClick}
        className="text-text-3"
      >
        <Icon />
      </Button>
    </Hint>
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
