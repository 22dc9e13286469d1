import { TOKEN_TEXTS } from '@catenary/contracts'
import { CopyIcon, type LucideIcon, PencilIcon, RefreshCwIcon, Trash2Icon } from 'lucide-react'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Button } from '../../components/ui/button.tsx'
import { DropdownMenuItem, DropdownMenuSeparator } from '../../components/ui/dropdown-menu.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { type AnyToken, nameOf } from './token-texts.ts'
import { useTokenBusy } from './tokens.queries.ts'
import { useCopyToken } from './use-copy-token.ts'

export interface TokenActionsProps {
  token: AnyToken
  canManage: boolean
  onEdit: () => void
  onRotate: () => void
  onDelete: () => void
}

export function TokenActions(props: TokenActionsProps) {
  const { token, canManage, onEdit, onRotate, onDelete } = props
  const copying = useCopyToken(token)
  const busy = useTokenBusy(token.id)
  const obstacles = obstaclesOf({ token, canManage })
  const name = nameOf(token)
  return (
    <div className="flex justify-end text-text-3">
      <RowButton
        label={`Copy ${name}`}
        title="Copy"
        obstacle={obstacles.copy}
        Icon={CopyIcon}
        pending={copying.isPending}
        onClick={copying.copy}
      />
      {canManage && token.canEdit && (
        <RowButton
          label={`Edit ${name}`}
          title="Edit"
          obstacle={null}
          Icon={PencilIcon}
          pending={busy === 'update'}
          onClick={onEdit}
          className="@max-lg:hidden"
        />
      )}
      <RowButton
        label={`Delete ${name}`}
        title="Delete"
        obstacle={obstacles.delete}
        Icon={Trash2Icon}
        pending={busy === 'delete'}
        onClick={onDelete}
        className="@max-lg:hidden"
      />
      <MoreMenu of={name} className="text-text-3">
        {canManage && token.canEdit && (
          <>
            <DropdownMenuItem onSelect={onEdit}>
              <PencilIcon />
              Edit
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={onRotate}>
              <RefreshCwIcon />
              Rotate
            </DropdownMenuItem>
            <DropdownMenuSeparator />
          </>
        )}
        <DropdownMenuItem
          variant="destructive"
          disabled={obstacles.delete !== null}
          title={obstacles.delete ?? undefined}
          onSelect={onDelete}
        >
          <Trash2Icon />
          Delete
        </DropdownMenuItem>
      </MoreMenu>
    </div>
  )
}

interface RowButtonProps {
  label: string
  title: string
  obstacle: string | null
  Icon: LucideIcon
  pending: boolean
  onClick: () => void
  className?: string
}

function RowButton({ label, title, obstacle, Icon, pending, onClick, className }: RowButtonProps) {
  const button = (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      title={obstacle ?? undefined}
      aria-disabled={obstacle !== null || undefined}
      pending={pending}
      onClick={() => obstacle === null && onClick()}
      className={className}
    >
      {!pending && <Icon />}
    </Button>
  )
  return obstacle === null ? <Hint text={title}>{button}</Hint> : button
}

function obstaclesOf({ token, canManage }: Pick<TokenActionsProps, 'token' | 'canManage'>) {
  const isOfChain = token.tokenType === 'chain'
  const notAllowed = isOfChain ? TOKEN_TEXTS.mayNotDeleteForChain : TOKEN_TEXTS.mayNotDelete
  const notKept = 'This server doesn’t store token values. Rotate the token to get a new one.'
  const notTheirs = `Only ${token.createdBy} can copy it.`
  return {
    copy: token.canReveal ? null : token.canEdit ? notKept : notTheirs,
    delete: canManage && token.canDelete ? null : notAllowed,
  }
}
