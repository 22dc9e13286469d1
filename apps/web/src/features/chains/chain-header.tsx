import type { Chain } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { CopyPlusIcon, HistoryIcon, ListChecksIcon, PencilIcon, ScaleIcon, Trash2Icon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { BackLink } from '../../components/back-link.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Button } from '../../components/ui/button.tsx'
import { DropdownMenuItem, DropdownMenuSeparator } from '../../components/ui/dropdown-menu.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { PHONE, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast, toastFailure } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import { TagChip } from '../library/tags/tag-chip.tsx'
import { HandOverItem } from '../records/hand-overs/open-hand-over.tsx'
import { scheduledChainsQuery } from '../schedules/schedules.queries.ts'
import { useDuplicateChain } from './chains.queries.ts'
import { ScheduledNote } from './scheduled-note.tsx'
import { ShareState } from './share-state.tsx'

export interface ChainHeaderProps {
  chain: Chain
  onEdit: () => void
  onDelete: () => void
  onDuplicated: (id: number) => void
  onShowVersions: () => void
  onEvaluate: () => void
  actions: ReactNode
}

export function ChainHeader({
  chain,
  onEdit,
  onDelete,
  onDuplicated,
  onShowVersions,
  onEvaluate,
  actions,
}: ChainHeaderProps) {
  const { user } = useSession()
  const isPhone = useMediaQuery(PHONE)
  const { mutate, isPending } = useDuplicateChain()
  const editKeys = useAriaKeys('edit')
  const duplicate = () =>
    mutate(chain.id, {
      onSuccess: ({ id }) => {
        toast({ title: 'Chain created', description: 'Your chain has been created successfully.' })
        onDuplicated(id)
      },
      onError: toastFailure('Error'),
    })
  const menu = (isPhone || user) && (
    <MoreMenu of={chain.name} pending={isPending} align={isPhone ? 'end' : 'start'}>
      <DropdownMenuItem disabled={!chain.canEdit} onSelect={onEdit}>
        <PencilIcon />
        Edit chain
      </DropdownMenuItem>
      {chain.canEdit && (
        <DropdownMenuItem onSelect={onShowVersions}>
          <HistoryIcon />
          Versions and labels
        </DropdownMenuItem>
      )}
      {user && (
        <>
          <DropdownMenuItem asChild>
            <Link href={`/chains/${chain.id}/tests`}>
              <ListChecksIcon />
              Tests
            </Link>
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={onEvaluate}>
            <ScaleIcon />
            Evaluations
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={duplicate}>
            <CopyPlusIcon />
            Duplicate chain
          </DropdownMenuItem>
          <HandOverItem id={chain.id} owner={chain.owner} />
        </>
      )}
      <DropdownMenuSeparator />
      <DropdownMenuItem variant="destructive" disabled={!chain.canDelete} onSelect={onDelete}>
        <Trash2Icon />
        Delete chain
      </DropdownMenuItem>
    </MoreMenu>
  )
  return (
    <PageHeader
      title={<span title={chain.name}>{chain.name}</span>}
      start={<BackLink href="/chains" label="Back to chains" />}
      badges={
        !isPhone && (
          <div className="flex shrink-0 items-center">
            <AllowedButton
              label="Edit chain"
              reason="You don't have permission to edit this chain"
              allowed={chain.canEdit}
              keys={editKeys}
              onClick={onEdit}
            >
              <PencilIcon />
            </AllowedButton>
            <AllowedButton
              label="Delete chain"
              reason="You don't have permission to delete this chain"
              allowed={chain.canDelete}
              onClick={onDelete}
            >
              <Trash2Icon />
            </AllowedButton>
            {menu}
          </div>
        )
      }
      action={
        <>
          {actions}
          {isPhone && menu}
        </>
      }
    />
  )
}

export interface ChainIntroductionProps {
  chain: Chain
  isSortable: boolean
  addStep: ReactNode
}

/** The lines below the header. */
export function ChainIntroduction({ chain, isSortable, addStep }: ChainIntroductionProps) {
  const { user } = useSession()
  const { data: scheduled } = useQuery({
    ...scheduledChainsQuery,
    enabled: user !== null,
    select: (chains) => chains.find(({ chainId }) => chainId === chain.id),
  })
  const { description, tags, owner } = chain
  return (
    <div className="grid gap-2.5 md:pl-[76px]">
      <p
        dir="auto"
        className={cn(
          'text-base whitespace-pre-line wrap-anywhere',
          description ? 'text-text-2' : 'text-text-3',
        )}
      >
        {description || 'No description provided'}
      </p>
      <div className="flex flex-wrap items-center gap-x-[5px] gap-y-2">
        {tags.map((tag) => (
          <TagChip key={tag.id} tag={tag} />
        ))}
        {/* After the tags: it gets longer once it is known with how many the chain is shared. */}
        <ShareState chain={chain} />
        {user?.username !== owner && <span className="ml-1 text-xs text-text-3">by {owner}</span>}
        {scheduled && <ScheduledNote scheduled={scheduled} isNamed />}
        {isSortable && (
          <div className="ml-auto flex items-center gap-3 max-md:ml-0 max-md:w-full max-md:justify-between">
            <p className="text-sm text-text-3">Drag steps to reorder</p>
            {addStep}
          </div>
        )}
      </div>
    </div>
  )
}

function AllowedButton({
  label,
  reason,
  allowed,
  keys,
  onClick,
  children,
}: {
  label: string
  reason: string
  allowed: boolean
  keys?: string | undefined
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Hint text={allowed ? label : reason}>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={label}
        aria-disabled={!allowed || undefined}
        aria-keyshortcuts={allowed ? keys : undefined}
        onClick={() => allowed && onClick()}
      >
        {children}
      </Button>
    </Hint>
  )
}
