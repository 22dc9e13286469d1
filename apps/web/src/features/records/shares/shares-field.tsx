import { type Group, isSameName, type Share, type ShareRole } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { UserRoundIcon, UsersIcon } from 'lucide-react'
import { useId } from 'react'
import { RemoveButton } from '../../../components/remove-button.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { useSession } from '../../../lib/session/session.tsx'
import { groupText, peopleText } from '../../groups/group-texts.ts'
import { groupsQuery } from '../../groups/groups.queries.ts'
import { GroupIcon, PeopleSearch } from '../../groups/people-search.tsx'
import { nameOfShare, openedBy, shareKey } from './shares.queries.ts'

const ROLES: readonly { value: ShareRole; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
]

export interface SharesFieldProps {
  value: readonly Share[]
  /** Everyone sees it anyway. */
  isPublic?: boolean
  onChange: (shares: Share[]) => void
}

export function SharesField({ value, isPublic = false, onChange }: SharesFieldProps) {
  const headingId = useId()
  const { user } = useSession()
  // Without them people alone are found, and a group stands there by its name.
  const { data: groups = [] } = useQuery(groupsQuery)
  const known = new Set(value.map(shareKey))
  const usernames = value.flatMap((share) => ('username' in share ? share.username : []))
  const change = (changed: Share, role: ShareRole) =>
    onChange(value.map((share) => (share === changed ? { ...share, role } : share)))
  const open = openedBy({ shares: value, groups, owner: user?.username ?? '' })
  return (
    <section aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id={headingId} className="text-sm font-medium tracking-normal text-text-2">
          Shared with
        </h3>
        <p className="text-xs text-text-3">Viewers can see and run it. Editors can also change it.</p>
      </div>
      <PeopleSearch
        taken={[user?.username ?? '', ...usernames]}
        groups={groups.filter(({ name }) => !known.has(shareKey({ group: name, role: 'viewer' })))}
        onPerson={(username) => onChange([...value, { username, role: 'viewer' }])}
        onGroup={({ name }) => onChange([...value, { group: name, role: 'viewer' }])}
      />
      {value.length === 0 ? (
        <p className="text-sm text-text-3">Nobody yet. Find people by username, and groups by name.</p>
      ) : (
        <ul
          aria-label="People and groups"
          className="divide-y divide-line rounded-control border border-line"
        >
          {value.map((share) => (
            <ShareRow
              key={shareKey(share)}
              share={share}
              groups={groups}
              onChange={(role) => change(share, role)}
              onRemove={() => onChange(value.filter((other) => other !== share))}
            />
          ))}
        </ul>
      )}
      {value.length > 0 && !isPublic && open !== undefined && (
        <p className="text-xs text-text-3">
          {open === 'everyone' ? 'Everyone with an account' : peopleText(open)} can open it.
        </p>
      )}
    </section>
  )
}

interface ShareRowProps {
  share: Share
  groups: readonly Group[]
  onChange: (role: ShareRole) => void
  onRemove: () => void
}

function ShareRow({ share, groups, onChange, onRemove }: ShareRowProps) {
  const name = nameOfShare(share)
  const group = 'group' in share ? groups.find((one) => isSameName(one.name, share.group)) : undefined
  return (
    <li className="flex items-center gap-2 py-1 pr-1 pl-2.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-text-3">
      {group ? <GroupIcon group={group} /> : 'group' in share ? <UsersIcon /> : <UserRoundIcon />}
      <span className="grid min-w-0 flex-1 text-sm">
        <span dir="auto" className="truncate">
          {name}
        </span>
        {'group' in share && (
          <span className="truncate text-xs text-text-3">
            {group ? groupText(group) : 'a group you’re not in'}
          </span>
        )}
      </span>
      <ChoiceSelect
        choices={ROLES}
        value={share.role}
        onChange={onChange}
        trigger={{
          id: undefined,
          'aria-label': `Role of ${name}`,
          className: 'h-7 w-24 shrink-0 pointer-coarse:text-sm',
        }}
      />
      <RemoveButton label={`Remove ${name}`} onClick={onRemove} />
    </li>
  )
}
