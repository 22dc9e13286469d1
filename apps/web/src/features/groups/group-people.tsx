import { type Group, isFound } from '@catenary/contracts'
import { CrownIcon, PlusIcon, UserRoundMinusIcon } from 'lucide-react'
import { useState } from 'react'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Button } from '../../components/ui/button.tsx'
import { DropdownMenuItem } from '../../components/ui/dropdown-menu.tsx'
import { Input } from '../../components/ui/input.tsx'
import { errorReason } from '../../lib/errors.ts'
import { toast, toastFailure } from '../../lib/toast.ts'
import { useSaveMembers, useUpdateGroup } from './groups.queries.ts'
import { PeopleSearch } from './people-search.tsx'

/** How many are shown; a search finds the rest. */
const SHOWN_MAX = 60

export function GroupPeople({ group }: { group: Group }) {
  const { id, name, members, leaders, canEdit } = group
  const [isAdding, setIsAdding] = useState(false)
  const [search, setSearch] = useState('')
  const saveMembers = useSaveMembers()
  const update = useUpdateGroup()
  const isPending = saveMembers.isPending || update.isPending
  const found = members.filter((member) => isFound(member, search))
  const change = (usernames: string[], said: string) =>
    saveMembers.mutate(
      { id, usernames },
      {
        onSuccess: () => toast({ title: 'Group updated', description: said }),
        onError: toastFailure('Couldn’t change the members', errorReason),
      },
    )
  const lead = (next: string[], said: string) =>
    update.mutate(
      { id, leaders: next },
      {
        onSuccess: () => toast({ title: 'Group updated', description: said }),
        onError: toastFailure('Couldn’t change who leads it', errorReason),
      },
    )
  return (
    <section aria-label={`Members of ${name}`} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-sm font-medium tracking-normal text-text-2">Members</h2>
        <p className="text-xs text-text-3">
          {leaders.length === 0 ? 'no leader: admins add and remove people' : 'leaders add and remove people'}
        </p>
      </div>
      {members.length > SHOWN_MAX && (
        <Input
          type="search"
          aria-label="Find a member"
          placeholder="Find a member"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <div className="flex flex-wrap items-center gap-1.5 rounded-control border border-line bg-surface p-2">
        <ul aria-label="Members" className="contents">
          {found.slice(0, SHOWN_MAX).map((member) => (
            <Member
              key={member}
              name={member}
              isLeader={leaders.includes(member)}
              canEdit={canEdit}
              isPending={isPending}
              onLead={() => lead([...leaders, member], `${member} now leads “${name}”.`)}
              onLeadNoLonger={() =>
                lead(
                  leaders.filter((leader) => leader !== member),
                  `${member} no longer leads “${name}”.`,
                )
              }
              onRemove={() =>
                change(
                  members.filter((other) => other !== member),
                  `${member} is no longer in “${name}”.`,
                )
              }
            />
          ))}
        </ul>
        {found.length > SHOWN_MAX && (
          <span className="text-xs text-text-3">
            and {(found.length - SHOWN_MAX).toLocaleString('en')} more
          </span>
        )}
        {members.length === 0 && <span className="px-1 text-sm text-text-3">Nobody yet.</span>}
        {canEdit && !isAdding && (
          <Button variant="ghost" size="sm" onClick={() => setIsAdding(true)}>
            <PlusIcon />
            Add
          </Button>
        )}
      </div>
      {canEdit && isAdding && (
        <PeopleSearch
          taken={members}
          onPerson={(username) => change([...members, username], `${username} is now in “${name}”.`)}
        />
      )}
    </section>
  )
}

interface MemberProps {
  name: string
  isLeader: boolean
  canEdit: boolean
  isPending: boolean
  onLead: () => void
  onLeadNoLonger: () => void
  onRemove: () => void
}

function Member({ name, isLeader, canEdit, isPending, onLead, onLeadNoLonger, onRemove }: MemberProps) {
  return (
    <li className="flex min-h-7 max-w-full items-center gap-1.5 rounded-full bg-hover pr-1 pl-2.5 text-sm">
      <span dir="auto" className="truncate">
        {name}
      </span>
      {isLeader && <span className="text-xs font-medium text-accent-text">leader</span>}
      {canEdit ? (
        <MoreMenu of={name} disabled={isPending} className="size-6 rounded-full">
          {isLeader ? (
            <DropdownMenuItem onSelect={onLeadNoLonger}>
              <CrownIcon />
              No longer a leader
            </DropdownMenuItem>
          ) : (
            <DropdownMenuItem onSelect={onLead}>
              <CrownIcon />
              Make a leader
            </DropdownMenuItem>
          )}
          <DropdownMenuItem variant="destructive" onSelect={onRemove}>
            <UserRoundMinusIcon />
            Remove from the group
          </DropdownMenuItem>
        </MoreMenu>
      ) : (
        <span aria-hidden className="w-1" />
      )}
    </li>
  )
}
