import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { usersQuery } from './admin.queries.ts'
import { PersonRow } from './person-row.tsx'
import { SearchedRows } from './searched-rows.tsx'

export default function PeoplePanel() {
  const { data: users, error, refetch } = useQuery(usersQuery)
  return (
    <SettingsPanel
      title="People"
      description="Admins can change settings for everyone and see the test dashboard."
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : users ? (
        <SearchedRows
          label="People"
          searchLabel="Search people"
          placeholder="Search by name or email"
          items={users}
          textOf={({ username, email }) => `${username}\n${email}`}
          renderRow={(user) => <PersonRow key={user.id} user={user} />}
          countText={countText}
        />
      ) : (
        <Skeleton className="h-60" />
      )}
    </SettingsPanel>
  )
}

function countText(count: number): string {
  if (count === 0) return 'No one found'
  return count === 1 ? '1 account' : `${count} accounts`
}
