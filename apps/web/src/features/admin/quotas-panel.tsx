import type { ManagedUser } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { LearnMore } from '../../components/learn-more.tsx'
import { SettingsPanel, SettingsRows } from '../../components/settings-panel.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { formatBytes } from '../../lib/text/bytes.ts'
import { groupText } from '../groups/group-texts.ts'
import { groupsQuery } from '../groups/groups.queries.ts'
import { usersQuery } from './admin.queries.ts'
import { QuotasDialog, type QuotasOwner } from './quotas-dialog.tsx'
import { SearchedRows } from './searched-rows.tsx'
import { usesText } from './taxonomy/taxonomy-texts.ts'

export default function QuotasPanel() {
  const { data: users, error, refetch } = useQuery(usersQuery)
  return (
    <SettingsPanel
      title="Limits and budgets"
      description={
        <>
          How much each person can store, and spend in a month. Everyone starts with the same limits; groups
          can change them for their members. <LearnMore about="budget" />
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : users ? (
        <>
          <GroupLimits />
          <SearchedRows
            label="Limits"
            searchLabel="Search people"
            placeholder="Search by name or email"
            items={users}
            textOf={({ username, email }) => `${username}\n${email}`}
            renderRow={(user) => <PersonLimits key={user.id} user={user} />}
            countText={(count) => (count === 0 ? 'No one found' : '')}
          />
        </>
      ) : (
        <Skeleton className="h-60" />
      )}
    </SettingsPanel>
  )
}

/** Those of groups, where there are some beside everyone's. */
function GroupLimits() {
  const { data: groups = [] } = useQuery(groupsQuery)
  const made = groups.filter(({ isBuiltIn }) => !isBuiltIn)
  if (made.length === 0) return null
  return (
    <SettingsRows label="Limits of groups">
      {made.map((group) => (
        <LimitsRow key={group.id} owner={{ of: 'groups', id: group.id, name: group.name }}>
          {groupText(group)}
        </LimitsRow>
      ))}
    </SettingsRows>
  )
}

function PersonLimits({ user: { id, username, usage } }: { user: ManagedUser }) {
  return (
    <LimitsRow owner={{ of: 'users', id, name: username }}>
      {usesText('prompt', usage.prompts)} · {usesText('chain', usage.chains)} ·{' '}
      {formatBytes(usage.text + usage.uploads)}
    </LimitsRow>
  )
}

function LimitsRow({ owner, children }: { owner: QuotasOwner; children: ReactNode }) {
  const { name } = owner
  const [isOpen, setIsOpen] = useState(false)
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="text-sm font-medium wrap-anywhere">
          {name}
        </p>
        <p className="text-xs text-text-3">{children}</p>
      </div>
      <Button variant="secondary" size="sm" aria-label={`Limits of ${name}`} onClick={() => setIsOpen(true)}>
        Change
      </Button>
      {isOpen && <QuotasDialog owner={owner} onClose={() => setIsOpen(false)} />}
    </li>
  )
}
