import { type Group, isFound } from '@catenary/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { GlobeIcon, SearchIcon, UserRoundIcon, UsersIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Spinner } from '../../components/ui/spinner.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { useRested } from '../../lib/use-rested.ts'
import { groupText } from './group-texts.ts'
import { peopleQuery } from './groups.queries.ts'

const SEARCH_REST_MS = 200
const NAME_MAX = 50

export interface PeopleSearchProps {
  /** Usernames that can't be chosen. */
  taken: readonly string[]
  /** Those that can be chosen beside people. */
  groups?: readonly Group[]
  onPerson: (username: string) => void
  onGroup?: (group: Group) => void
}

/** Finds people by the start of their name, and groups by any part of theirs. */
export function PeopleSearch({ taken, groups = [], onPerson, onGroup }: PeopleSearchProps) {
  const [text, setText] = useState('')
  const wanted = useRested(text.trim(), SEARCH_REST_MS)
  const { data, error, isFetching } = useQuery({
    ...peopleQuery(wanted),
    placeholderData: keepPreviousData,
  })
  const isAsked = text.trim() !== ''
  const found = isAsked ? groups.filter(({ name }) => isFound(name, text)) : []
  const people =
    isAsked && wanted !== '' ? (data ?? []).filter(({ username }) => !taken.includes(username)) : []
  const choose = (chosen: () => void) => {
    chosen()
    setText('')
  }
  const what = onGroup ? 'Username or group' : 'Username'
  return (
    <Command
      shouldFilter={false}
      loop
      label={onGroup ? 'Find people and groups' : 'Find people'}
      className="grid gap-1"
    >
      <div className="field-ring flex items-center gap-2 rounded-control border border-line-strong bg-surface px-2.5 hover:border-text-3">
        <SearchIcon className="size-4 shrink-0 text-text-3" />
        <Command.Input
          value={text}
          onValueChange={setText}
          maxLength={NAME_MAX}
          placeholder={what}
          autoCapitalize="none"
          className="h-[30px] w-full bg-transparent text-sm outline-none pointer-coarse:h-11"
        />
        {isFetching && <Spinner className="size-3.5 shrink-0 text-text-3" />}
      </div>
      {error && (
        <p role="alert" className="text-xs text-danger">
          {errorMessage(error)}
        </p>
      )}
      <Command.List
        aria-label={onGroup ? 'Found people and groups' : 'Found people'}
        className={isAsked ? 'max-h-40 overflow-y-auto rounded-control border border-line p-1' : 'hidden'}
      >
        {found.map((group) => (
          <FoundItem
            key={group.id}
            value={`group ${group.id}`}
            icon={<GroupIcon group={group} />}
            onSelect={() => choose(() => onGroup?.(group))}
          >
            <span dir="auto">{group.name}</span>{' '}
            <span className="text-xs text-text-3">{groupText(group)}</span>
          </FoundItem>
        ))}
        {people.map(({ id, username }) => (
          <FoundItem
            key={id}
            value={`person ${id}`}
            icon={<UserRoundIcon />}
            onSelect={() => choose(() => onPerson(username))}
          >
            <span dir="auto">{username}</span>
          </FoundItem>
        ))}
        {isAsked && wanted !== '' && found.length === 0 && people.length === 0 && !isFetching && (
          <p className="px-2 py-1.5 text-sm text-text-3">No one with that name can be added.</p>
        )}
      </Command.List>
    </Command>
  )
}

interface FoundItemProps {
  value: string
  icon: ReactNode
  onSelect: () => void
  children: ReactNode
}

function FoundItem({ value, icon, onSelect, children }: FoundItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-8 cursor-default items-center gap-2 rounded-[6px] px-2 py-1 text-sm select-none aria-selected:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-text-3"
    >
      {icon}
      <span className="min-w-0 truncate">{children}</span>
    </Command.Item>
  )
}

export const GroupIcon = ({ group: { isBuiltIn } }: { group: Pick<Group, 'isBuiltIn'> }) =>
  isBuiltIn ? <GlobeIcon /> : <UsersIcon />
