import type { ManagedUser } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { SearchIcon } from 'lucide-react'
import { useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel, SettingsRows } from '../../components/settings-panel.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { usersQuery } from './admin.queries.ts'
import { UserRow } from './user-row.tsx'

/** How many are shown; search finds the rest. */
const SHOWN_MAX = 100

/** Who has an account, with what role. */
export function UsersPanel() {
  const { data: users, error, refetch } = useQuery(usersQuery)
  return (
    <SettingsPanel title="Users" description="Admins see this dialog and the test dashboard.">
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : users ? (
        <UserList users={users} />
      ) : (
        <Skeleton className="h-60" />
      )}
    </SettingsPanel>
  )
}

function UserList({ users }: { users: ManagedUser[] }) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = users.filter(({ username, email }) => `${username}\n${email}`.toLowerCase().includes(wanted))
  return (
    <div className="grid gap-2.5">
      <div className="relative">
        <SearchIcon className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3" />
        <Input
          type="search"
          aria-label="Search users"
          placeholder="Search by name or email"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="pl-8.5"
        />
      </div>
      {found.length > 0 && (
        <SettingsRows label="Users">
          {found.slice(0, SHOWN_MAX).map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </SettingsRows>
      )}
      <p role="status" className="text-xs text-text-3">
        {found.length > SHOWN_MAX
          ? `The first ${SHOWN_MAX} of ${found.length}. Search to find others.`
          : countText(found.length)}
      </p>
    </div>
  )
}

function countText(count: number): string {
  if (count === 0) return 'No users found'
  return count === 1 ? '1 account' : `${count} accounts`
}
