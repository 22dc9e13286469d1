import type { Share, ShareRole } from '@catenary/contracts'
import { UserRoundIcon } from 'lucide-react'
import { useId } from 'react'
import { RemoveButton } from '../../../components/remove-button.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { UserSearch } from './user-search.tsx'

const ROLES: readonly { value: ShareRole; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
]

export interface SharesFieldProps {
  value: readonly Share[]
  onChange: (shares: Share[]) => void
}

export function SharesField({ value, onChange }: SharesFieldProps) {
  const headingId = useId()
  const change = (username: string, role: ShareRole) =>
    onChange(value.map((share) => (share.username === username ? { username, role } : share)))
  const remove = (username: string) => onChange(value.filter((share) => share.username !== username))
  return (
    <section aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id={headingId} className="text-sm font-medium tracking-normal text-text-2">
          Shared with
        </h3>
        <p className="text-xs text-text-3">Viewers can see and run it. Editors can also change it.</p>
      </div>
      <UserSearch
        known={value.map(({ username }) => username)}
        onChoose={(username) => onChange([...value, { username, role: 'viewer' }])}
      />
      {value.length === 0 ? (
        <p className="text-sm text-text-3">Nobody yet. Find people by username.</p>
      ) : (
        <ul aria-label="People" className="divide-y divide-line rounded-control border border-line">
          {value.map(({ username, role }) => (
            <li key={username} className="flex items-center gap-2 py-1 pr-1 pl-2.5">
              <UserRoundIcon className="size-4 shrink-0 text-text-3" />
              <span dir="auto" className="min-w-0 flex-1 truncate text-sm">
                {username}
              </span>
              <ChoiceSelect
                choices={ROLES}
                value={role}
                onChange={(role) => change(username, role)}
                trigger={{
                  id: undefined,
                  'aria-label': `Role of ${username}`,
                  className: 'h-7 w-24 shrink-0 pointer-coarse:text-sm',
                }}
              />
              <RemoveButton label={`Remove ${username}`} onClick={() => remove(username)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
