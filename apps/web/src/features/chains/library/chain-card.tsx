import type { ChainListItem, ScheduledChain, SeenLatestRun } from '@catenary/contracts'
import { CalendarClockIcon, PencilIcon, PlayIcon, SquareCheckIcon, Trash2Icon } from 'lucide-react'
import { type KeyboardEvent, memo } from 'react'
import { Link, useLocation } from 'wouter'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { DropdownMenuItem, DropdownMenuSeparator } from '../../../components/ui/dropdown-menu.tsx'
import { matchesShortcut, useAriaKeys } from '../../../lib/keyboard/shortcuts.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { cn } from '../../../lib/utils.ts'
import { waitedText } from '../../asks/waiting-line.tsx'
import { TagChip } from '../../library/tags/tag-chip.tsx'
import { HandOverItem } from '../../records/hand-overs/open-hand-over.tsx'
import { SelectedMark } from '../../records/selection/selected-mark.tsx'
import { RUN_CHAIN } from '../run/use-wanted-run.ts'
import { ScheduledNote } from '../scheduled-note.tsx'
import { VisibilityBadge } from '../share-state.tsx'

const TAGS_MAX = 3

export interface ChainCardProps {
  chain: ChainListItem
  scheduled?: ScheduledChain | undefined
  latest?: SeenLatestRun | undefined
  onDelete: (chain: ChainListItem) => void
  /** Chooses it, or no more, for what is done with several. */
  onSelect: (id: number) => void
  isSelected?: boolean
}

export const ChainCard = memo(function ChainCard({
  chain,
  scheduled,
  latest,
  onDelete,
  onSelect,
  isSelected = false,
}: ChainCardProps) {
  const { name, description, sharedLevel, steps, owner, updatedAt, canView } = chain
  const title = canView ? name : `${name} (No access)`
  return (
    <article
      aria-label={title}
      className={cn(
        'group/chain relative flex min-w-0 flex-col rounded-card border px-(--card-x) pt-(--card-y) pb-[calc(var(--card-y)-4px)] transition-colors',
        canView ? 'bg-surface focus-within:border-accent/60 hover:border-accent/60' : 'bg-bg text-text-3',
        isSelected ? 'border-accent! ring-1 ring-accent' : 'border-line',
      )}
    >
      {isSelected && <SelectedMark className="rounded-tl-card rounded-br-control" />}
      <div className="flex h-6 items-center justify-between gap-3">
        <h2 title={title} dir="auto" className="min-w-0 truncate text-md font-[570] tracking-[-0.01em]">
          {canView ? <ChainLink chain={chain} onDelete={onDelete} isSelected={isSelected} /> : title}
        </h2>
        <VisibilityBadge level={sharedLevel} />
      </div>
      {canView && (
        <>
          <p
            dir="auto"
            className={cn(
              'mt-[calc(var(--card-gap)-2px)] line-clamp-2 text-sm wrap-anywhere',
              description ? 'text-text-2' : 'text-text-3',
            )}
          >
            {description || 'No description'}
          </p>
          <CardTags chain={chain} />
        </>
      )}
      <div className="mt-auto flex items-center gap-3 text-xs text-text-3">
        {canView && latest && <LatestRunNote latest={latest} />}
        {canView && scheduled && <ScheduledNote scheduled={scheduled} />}
      </div>
      <div className="flex min-h-8 items-center gap-0.5">
        <div className="mr-auto min-w-0 text-xs leading-[1.3] text-text-3">
          <p title={owner} className="truncate">
            {canView && `${steps.length} step(s) · `}
            {owner}
          </p>
          <p className="truncate">
            Updated <Time time={updatedAt} as="day" />
          </p>
        </div>
        <ChainMenu chain={chain} onDelete={onDelete} onSelect={onSelect} />
        <ExecuteButton chain={chain} />
      </div>
    </article>
  )
})

function ChainMenu({ chain, onDelete, onSelect }: Pick<ChainCardProps, 'chain' | 'onDelete' | 'onSelect'>) {
  const { user } = useSession()
  const [, navigate] = useLocation()
  const { id, name, owner, canView, canEdit, canDelete } = chain
  if (!user || !(canView || canDelete)) return null
  return (
    <MoreMenu of={name} title="More" className="z-1 w-6.5 text-text-3">
      {canView && (
        <>
          <DropdownMenuItem disabled={!canEdit} onSelect={() => navigate(`/chains/${id}?edit=${id}`)}>
            <PencilIcon />
            Edit
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => navigate(`/chains/${id}/scheduled`)}>
            <CalendarClockIcon />
            Scheduled Runs
          </DropdownMenuItem>
          <HandOverItem id={id} owner={owner} />
          <DropdownMenuItem onSelect={() => onSelect(id)}>
            <SquareCheckIcon />
            Select
          </DropdownMenuItem>
        </>
      )}
      {canDelete && (
        <>
          {canView && <DropdownMenuSeparator />}
          <DropdownMenuItem variant="destructive" onSelect={() => onDelete(chain)}>
            <Trash2Icon />
            Delete
          </DropdownMenuItem>
        </>
      )}
    </MoreMenu>
  )
}

const canRun = ({ canExecute, steps }: ChainListItem): boolean => canExecute && steps.length > 0

function ExecuteButton({ chain }: Pick<ChainCardProps, 'chain'>) {
  const [, navigate] = useLocation()
  if (!canRun(chain)) return null
  const { id, name } = chain
  return (
    <Button
      data-grid-run
      variant="ghost"
      size="sm"
      aria-label={`Execute Chain: ${name}`}
      onClick={() => navigate(`/chains/${id}`, { state: RUN_CHAIN })}
      className="z-1 gap-1.5 px-2.5 text-text group-focus-within/chain:bg-accent group-focus-within/chain:text-on-accent group-hover/chain:bg-accent group-hover/chain:text-on-accent hover:bg-accent-hover! hover:text-on-accent! [&_svg]:size-3.5"
    >
      <PlayIcon />
      Execute Chain
    </Button>
  )
}

const DOTS: Record<SeenLatestRun['status'], string> = {
  running: 'bg-accent motion-safe:animate-pulse',
  completed: 'bg-ok',
  failed: 'bg-danger',
  cancelled: 'bg-line-strong',
  started: 'border border-line-strong',
  ended: 'border border-line-strong',
}

const ENDED = {
  completed: 'done',
  failed: 'failed',
  cancelled: 'stopped',
  started: 'started',
  ended: 'ended',
}

function LatestRunNote({ latest }: { latest: SeenLatestRun }) {
  const { chainId, id, status, stepCount, completedSteps, executedAt, finishedAt, waitingFor } = latest
  const place = Math.min((completedSteps ?? 0) + 1, stepCount ?? 1)
  return (
    <Link
      href={`/chains/${chainId}?run=${id}`}
      className={cn(
        'relative z-1 flex h-6 min-w-0 items-center gap-1.5 rounded-tag hover:text-text pointer-coarse:-my-2.5 pointer-coarse:h-11',
        status === 'failed' && 'text-danger hover:text-danger',
      )}
    >
      <span aria-hidden="true" className={cn('size-2 shrink-0 rounded-full', DOTS[status])} />
      <span className="truncate">
        {waitingFor ? (
          `waiting for ${waitedText(waitingFor)}`
        ) : status === 'running' ? (
          `running ${place} of ${stepCount}`
        ) : (
          <>
            {ENDED[status]} <RelativeTime time={finishedAt ?? executedAt} />
          </>
        )}
      </span>
    </Link>
  )
}

function ChainLink({
  chain,
  onDelete,
  isSelected,
}: Pick<ChainCardProps, 'chain' | 'onDelete' | 'isSelected'>) {
  const [, navigate] = useLocation()
  const editKeys = useAriaKeys('edit')
  const removeKeys = useAriaKeys('remove')
  const selectKeys = useAriaKeys('select')
  const runKeys = useAriaKeys('run')
  const { id, name, canEdit, canDelete } = chain
  const onKeyDown = (event: KeyboardEvent) => {
    if (canEdit && matchesShortcut({ event, id: 'edit' })) {
      // Otherwise the form that opens would get the letter.
      event.preventDefault()
      navigate(`/chains/${id}?edit=${id}`)
    }
    if (canDelete && matchesShortcut({ event, id: 'remove' })) onDelete(chain)
    if (canRun(chain) && matchesShortcut({ event, id: 'run' })) {
      // The browser would open the link in a window of its own.
      event.preventDefault()
      navigate(`/chains/${id}`, { state: RUN_CHAIN })
    }
  }
  return (
    <Link
      href={`/chains/${id}`}
      data-grid-focus
      aria-description={isSelected ? 'Selected' : undefined}
      onKeyDown={onKeyDown}
      aria-keyshortcuts={
        [canEdit && editKeys, canDelete && removeKeys, selectKeys, canRun(chain) && runKeys]
          .filter(Boolean)
          .join(' ') || undefined
      }
      className="block truncate outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:shadow-[0_0_0_3px_var(--ring)]"
    >
      {name}
    </Link>
  )
}

function CardTags({ chain: { tags } }: { chain: ChainListItem }) {
  const rest = tags.slice(TAGS_MAX)
  return (
    <div className="mt-(--card-gap) flex h-5 min-w-0 items-center gap-[5px]">
      {tags.slice(0, TAGS_MAX).map((tag) => (
        <TagChip key={tag.id} tag={tag} className="shrink basis-auto" />
      ))}
      {rest.length > 0 && (
        <span
          title={rest.map(({ name }) => name).join(', ')}
          className="relative z-1 shrink-0 text-xs leading-5 text-text-3"
        >
          +{rest.length} more
        </span>
      )}
    </div>
  )
}
