import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { usersQuery } from './admin.queries.ts'
import { SearchedRows } from './searched-rows.tsx'
import { UserRow } from './user-row.tsx'

/** Who has an account, with what role. */
export function UsersPanel() {
  const { data: users, error, refetch } = useQuery(usersQuery)
  return (
    <SettingsPanel title="Users" description="Admins see this dialog and the test dashboard.">
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : users ? (
        <SearchedRows
          label="Users"
          searchLabel="Search users"
          placeholder="Search by name or email"
          items={users}
          textOf={({ username, email }) => `${username}\n${email}`}
          renderRow={(user) => <UserRow key={user.id} user={user} />}
          countText={countText}
        />
      ) : (
        <Skeleton className="h-60" />
      )}
    </SettingsPanel>
  )
}

function countText(count: number): string {
  if (count === 0) return 'No users found'
  return count === 1 ? '1 account' : `${count} accounts`
}
