import { GROUP_MAKERS, type Group, type GroupMakers } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { PlusIcon } from 'lucide-react'
import { ErrorState } from '../../components/error-state.tsx'
import { LearnMore } from '../../components/learn-more.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { TableBody, TableHead, TableHeader } from '../../components/ui/table.tsx'
import { errorReason } from '../../lib/errors.ts'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { useOpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toastFailure } from '../../lib/toast.ts'
import { COLUMNS } from './columns.ts'
import { CreateGroupDialog } from './group-dialogs.tsx'
import { GroupRow } from './group-row.tsx'
import { groupMakingQuery, groupsQuery, useSetMakers } from './groups.queries.ts'

const MAKERS: Record<GroupMakers, string> = { admins: 'Admins', everyone: 'Everyone' }

/** One's groups, for admins all of them; the one that is open is in the address. */
export default function GroupsPanel() {
  const { isAdmin } = useSession()
  const { data: groups, error, refetch } = useQuery(groupsQuery)
  const { data: making } = useQuery(groupMakingQuery)
  const { open, show } = useOpenItem('group')
  const canMake = making?.canMake === true
  useShortcut({ id: 'create', onPress: () => canMake && show({ kind: 'create' }) })
  return (
    <SettingsPanel
      title="Groups"
      count={groups && countText(groups)}
      description={
        <>
          Share prompts and chains with several people at once. {!isAdmin && 'These are your groups. '}
          <LearnMore about="groups" />
        </>
      }
      action={
        <div className="flex flex-wrap items-center gap-2.5">
          {isAdmin && making && <MakersField madeBy={making.madeBy} />}
          {canMake && <NewGroupButton onClick={() => show({ kind: 'create' })} />}
        </div>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : groups ? (
        <GroupsTable
          groups={groups}
          openId={open?.kind === 'open' ? open.id : null}
          onOpen={(id) => show(id === null ? null : { kind: 'open', id })}
        />
      ) : (
        <Skeleton className="h-60" />
      )}
      {open?.kind === 'create' && canMake && (
        <CreateGroupDialog onCreated={({ id }) => show({ kind: 'open', id })} onClose={() => show(null)} />
      )}
    </SettingsPanel>
  )
}

interface GroupsTableProps {
  groups: readonly Group[]
  openId: number | null
  onOpen: (id: number | null) => void
}

function GroupsTable({ groups, openId, onOpen }: GroupsTableProps) {
  return (
    <div className="@container overflow-hidden rounded-card border border-line bg-surface">
      <table aria-label="Groups" className="w-full table-fixed border-collapse text-left text-sm">
        <TableHeader>
          <tr>
            {COLUMNS.map(({ name, head }) => (
              <TableHead key={name} className={head}>
                <span>{name}</span>
              </TableHead>
            ))}
          </tr>
        </TableHeader>
        <TableBody>
          {groups.map((group) => (
            <GroupRow
              key={group.id}
              group={group}
              isOpen={group.id === openId}
              onToggle={() => onOpen(group.id === openId ? null : group.id)}
              onDeleted={() => onOpen(null)}
            />
          ))}
        </TableBody>
      </table>
    </div>
  )
}

function MakersField({ madeBy }: { madeBy: GroupMakers }) {
  const set = useSetMakers()
  return (
    <div className="flex items-center gap-2">
      <span aria-hidden className="text-sm text-text-2">
        Who can create groups
      </span>
      <SegmentedControl
        aria-label="Who can create groups"
        value={set.isPending ? set.variables : madeBy}
        onValueChange={(next) =>
          set.mutate(next, { onError: toastFailure('Couldn’t change it', errorReason) })
        }
      >
        {GROUP_MAKERS.map((makers) => (
          <SegmentedControlItem key={makers} value={makers}>
            {MAKERS[makers]}
          </SegmentedControlItem>
        ))}
      </SegmentedControl>
    </div>
  )
}

function NewGroupButton({ onClick }: { onClick: () => void }) {
  const keys = useAriaKeys('create')
  return (
    <Button variant="secondary" onClick={onClick} aria-keyshortcuts={keys}>
      <PlusIcon />
      New group
      <ShortcutKeys id="create" className="max-md:hidden" />
    </Button>
  )
}

/** Those beside everyone's, which is always there. */
function countText(groups: readonly Group[]): string {
  const made = groups.filter(({ isBuiltIn }) => !isBuiltIn).length
  return made === 0 ? 'everyone' : `${made}, and everyone`
}
