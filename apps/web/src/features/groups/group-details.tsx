import { GROUP_SHARES_LISTED, type Group, type GroupShare } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ChevronRightIcon, LinkIcon, LockIcon, MessageSquareTextIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { ErrorState } from '../../components/error-state.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { DeleteGroupDialog, RenameGroupDialog } from './group-dialogs.tsx'
import { GroupPeople } from './group-people.tsx'
import { groupQuery } from './groups.queries.ts'

interface GroupPanelProps {
  group: Group
  onDeleted: () => void
}

/** Who is in a group, what is shared with it, and what its leaders do with it. */
export function GroupPanel({ group, onDeleted }: GroupPanelProps) {
  const { canEdit, isBuiltIn } = group
  const [opened, setOpened] = useState<'rename' | 'delete' | null>(null)
  const close = () => setOpened(null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-1">
      {!isBuiltIn && <GroupPeople group={group} />}
      <SharedWith group={group} />
      {canEdit && (
        <div className="flex flex-wrap items-center gap-2">
          <p className="mr-auto text-xs text-text-3">People who leave lose access at once.</p>
          <Button variant="ghost" size="sm" onClick={() => setOpened('rename')}>
            Rename
          </Button>
          <Button variant="ghost" size="sm" className="text-danger" onClick={() => setOpened('delete')}>
            Delete
          </Button>
        </div>
      )}
      {opened === 'rename' && <RenameGroupDialog group={group} onClose={close} />}
      {opened === 'delete' && <DeleteGroupDialog group={group} onDeleted={onDeleted} onClose={close} />}
    </div>
  )
}

function SharedWith({ group: { id, name, shareCount } }: { group: Group }) {
  const { data, error, refetch } = useQuery(groupQuery(id))
  return (
    <section aria-label={`Shared with ${name}`} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-sm font-medium tracking-normal text-text-2">Shared with it</h2>
        <span className="text-xs text-text-3 tabular-nums">{shareCount.toLocaleString('en')}</span>
      </div>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-4" />
      ) : data === undefined ? (
        <Skeleton className="h-20" />
      ) : data.shares.length === 0 && !data.hiddenShares ? (
        <p className="text-sm text-text-3">
          {shareCount === 0
            ? 'Nothing yet. Share a prompt or chain, and choose this group instead of a person.'
            : 'Nothing that you can see.'}
        </p>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-control border border-line bg-surface">
          {data.shares.map((share) => (
            <SharedRow key={`${share.kind} ${share.id}`} share={share} />
          ))}
          {data.hiddenShares !== null && data.hiddenShares > 0 && (
            <li className="flex min-h-9 items-center gap-2.5 px-3 text-sm text-text-2">
              <LockIcon className="size-4 shrink-0 text-text-3" />
              {data.shares.length > 0 && 'and '}
              {data.hiddenShares.toLocaleString('en')} that you can’t see
            </li>
          )}
        </ul>
      )}
      {data?.shares.length === GROUP_SHARES_LISTED && (
        <p className="text-xs text-text-3">The first {GROUP_SHARES_LISTED}.</p>
      )}
    </section>
  )
}

const KINDS = {
  prompt: { Icon: MessageSquareTextIcon, hrefOf: (id: number) => `/?prompt=${id}` },
  chain: { Icon: LinkIcon, hrefOf: (id: number) => `/chains/${id}` },
} as const

function SharedRow({ share: { kind, id, title, role } }: { share: GroupShare }) {
  const { Icon, hrefOf } = KINDS[kind]
  return (
    <li>
      <Link
        href={hrefOf(id)}
        className="flex min-h-9 items-center gap-2.5 px-3 text-sm hover:bg-hover pointer-coarse:min-h-11"
      >
        <Icon className="size-4 shrink-0 text-text-3" />
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {title}
        </span>
        <span className="w-14 shrink-0 text-text-2">{kind}</span>
        <span className="w-14 shrink-0 text-text-2">{role}</span>
        <ChevronRightIcon className="size-4 shrink-0 text-text-3" />
      </Link>
    </li>
  )
}
