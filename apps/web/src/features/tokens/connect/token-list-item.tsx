import type { OwnToken } from '@catenary/contracts'
import { CopyIcon, PencilIcon, RefreshCwIcon, Trash2Icon } from 'lucide-react'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { DropdownMenuItem, DropdownMenuSeparator } from '../../../components/ui/dropdown-menu.tsx'
import { cn } from '../../../lib/utils.ts'
import { LastUsed } from '../last-used.tsx'
import { KIND_TEXTS, nameOf, prefixOf } from '../token-texts.ts'
import { useTokenBusy } from '../tokens.queries.ts'
import { useCopyToken } from '../use-copy-token.ts'
import { clientName } from './client-name.ts'
import { endsSoon, hasFailedLast, isExpired, reachOf } from './connect-texts.ts'

export interface TokenListItemProps {
  token: OwnToken
  isChosen: boolean
  onChoose: () => void
  onEdit: (token: OwnToken) => void
  onRotate: (token: OwnToken) => void
  onDelete: (token: OwnToken) => void
}

export function TokenListItem({ token, isChosen, onChoose, ...actions }: TokenListItemProps) {
  const name = nameOf(token)
  const state = isExpired(token) ? 'expired' : hasFailedLast(token) ? 'last call failed' : null
  return (
    <li data-token-id={token.id} aria-label={`${name}, ${prefixOf(token)}`} className="relative">
      <button
        type="button"
        data-token-focus
        aria-current={isChosen || undefined}
        onClick={onChoose}
        className={cn(
          'grid w-full grid-cols-[minmax(0,1fr)] gap-1 border-l-2 py-2.5 pr-3.5 pl-3 text-left focus-visible:outline-offset-[-2px]',
          isChosen
            ? 'border-accent bg-accent-soft [&_.text-text-3]:text-text-2'
            : 'border-transparent hover:bg-hover/60',
        )}
      >
        <span className="flex min-w-0 items-center gap-2 pr-8 pointer-coarse:min-h-7">
          <span dir="auto" className="min-w-0 truncate text-base font-medium">
            {name}
          </span>
          {state === null ? (
            <Badge className="max-w-[60%] min-w-12 shrink">
              <span className="truncate leading-normal">
                {KIND_TEXTS[token.tokenType].name}
                {token.tokenType !== 'chain' && `, ${reachOf(token)}`}
              </span>
            </Badge>
          ) : (
            <Badge variant="danger">{state}</Badge>
          )}
        </span>
        <span className="flex min-w-0 items-baseline gap-2.5 text-xs text-text-2">
          <code className="shrink-0 font-mono text-text-3">{prefixOf(token)}</code>
          <span className="min-w-0 truncate">
            <LastUsed time={token.lastUsed} />
            {token.lastClient !== null && (
              <span className="text-text-3"> · {clientName(token.lastClient)}</span>
            )}
          </span>
          <End token={token} />
        </span>
      </button>
      <ItemMenu token={token} name={name} {...actions} />
    </li>
  )
}

function End({ token }: { token: OwnToken }) {
  const { expiresAt } = token
  if (expiresAt === null) return <span className="ml-auto shrink-0 text-text-3">never expires</span>
  const isOver = isExpired(token)
  return (
    <span
      className={cn(
        'ml-auto shrink-0',
        isOver ? 'text-danger' : endsSoon(token) ? 'text-warn' : 'text-text-2',
      )}
    >
      {isOver ? 'expired' : 'expires'} <Time time={expiresAt} as={isNear(expiresAt) ? 'shortDay' : 'day'} />
    </span>
  )
}

const YEAR_MS = 330 * 86_400_000

/** Near enough to leave its year out. */
const isNear = (time: string): boolean => Math.abs(Date.parse(time) - Date.now()) < YEAR_MS

type ItemMenuProps = Omit<TokenListItemProps, 'isChosen' | 'onChoose'> & { name: string }

export function ItemMenu({ token, name, onEdit, onRotate, onDelete }: ItemMenuProps) {
  const copying = useCopyToken(token)
  const busy = useTokenBusy(token.id)
  return (
    <MoreMenu
      of={name}
      pending={copying.isPending || busy !== undefined}
      className="absolute top-1.5 right-2 text-text-3 pointer-coarse:top-0 pointer-coarse:right-0.5"
    >
      <DropdownMenuItem
        disabled={!token.canReveal}
        title={
          token.canReveal
            ? undefined
            : 'This server doesn’t store token values. Rotate the token to get a new one.'
        }
        onSelect={copying.copy}
      >
        <CopyIcon />
        Copy value
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={() => onEdit(token)}>
        <PencilIcon />
        Edit
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={() => onRotate(token)}>
        <RefreshCwIcon />
        Rotate
      </DropdownMenuItem>
      <DropdownMenuSeparator />
      <DropdownMenuItem variant="destructive" onSelect={() => onDelete(token)}>
        <Trash2Icon />
        Delete
      </DropdownMenuItem>
    </MoreMenu>
  )
}
