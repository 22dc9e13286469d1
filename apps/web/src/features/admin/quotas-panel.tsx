import type { ManagedUser } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { LearnMore } from '../../components/learn-more.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { formatBytes } from '../../lib/text/bytes.ts'
import { usersQuery } from './admin.queries.ts'
import { QuotasDialog } from './quotas-dialog.tsx'
import { SearchedRows } from './searched-rows.tsx'
import { usesText } from './taxonomy/taxonomy-texts.ts'

export default function QuotasPanel() {
  const { data: users, error, refetch } = useQuery(usersQuery)
  return (
    <SettingsPanel
      title="Limits and budgets"
      description={
        <>
          How much each person can store, and spend in a month. Everyone starts with the same limits.{' '}
          <LearnMore about="budget" />
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : users ? (
        <SearchedRows
          label="Limits"
          searchLabel="Search people"
          placeholder="Search by name or email"
          items={users}
          textOf={({ username, email }) => `${username}\n${email}`}
          renderRow={(user) => <LimitsRow key={user.id} user={user} />}
          countText={(count) => (count === 0 ? 'No one found' : '')}
        />
      ) : (
        <Skeleton className="h-60" />
      )}
    </SettingsPanel>
  )
}

function LimitsRow({ user }: { user: ManagedUser }) {
  const { username, usage } = user
  const [isOpen, setIsOpen] = useState(false)
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="text-sm font-medium wrap-anywhere">
          {username}
        </p>
        <p className="text-xs text-text-3">
          {usesText('prompt', usage.prompts)} · {usesText('chain', usage.chains)} ·{' '}
          {formatBytes(usage.text + usage.uploads)}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Limits of ${username}`}
        onClick={() => setIsOpen(true)}
      >
        Change
      </Button>
      {isOpen && <QuotasDialog user={user} onClose={() => setIsOpen(false)} />}
    </li>
  )
}
