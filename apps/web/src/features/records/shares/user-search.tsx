import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { SearchIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { isEnter } from '../../../lib/keyboard/pressed.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { usersQuery } from './shares.queries.ts'

const SEARCH_DEBOUNCE_MS = 200
const NAME_MAX = 50

export function UserSearch({
  known,
  onChoose,
}: {
  known: readonly string[]
  onChoose: (username: string) => void
}) {
  const { user } = useSession()
  const [text, setText] = useState('')
  const wanted = useDebounced(text.trim())
  const { data, error, isFetching } = useQuery({
    ...usersQuery(wanted),
    placeholderData: keepPreviousData,
  })
  const isAsked = text.trim() !== '' && wanted !== ''
  const people = isAsked
    ? (data ?? []).filter(({ username }) => username !== user?.username && !known.includes(username))
    : []
  const choose = (username: string) => {
    onChoose(username)
    setText('')
  }
  return (
    <Command shouldFilter={false} loop label="Find people" className="grid gap-1">
      <div className="field-ring flex items-center gap-2 rounded-control border border-line-strong bg-surface px-2.5 hover:border-text-3">
        <SearchIcon className="size-4 shrink-0 text-text-3" />
        <Command.Input
          value={text}
          onValueChange={setText}
          maxLength={NAME_MAX}
          placeholder="Username"
          autoCapitalize="none"
          onKeyDown={(event) => {
            // The list's own Enter; the form would be submitted by it as well.
            if (isEnter(event)) event.preventDefault()
          }}
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
        aria-label="Found people"
        className={isAsked ? 'max-h-40 overflow-y-auto rounded-control border border-line p-1' : 'hidden'}
      >
        {people.map(({ id, username }) => (
          <Command.Item
            key={id}
            value={username}
            onSelect={() => choose(username)}
            className="flex min-h-8 cursor-default items-center rounded-[6px] px-2 py-1 text-sm select-none aria-selected:bg-hover pointer-coarse:min-h-11"
          >
            <span dir="auto" className="truncate">
              {username}
            </span>
          </Command.Item>
        ))}
        {isAsked && people.length === 0 && !isFetching && (
          <p className="px-2 py-1.5 text-sm text-text-3">No one with that name can be added.</p>
        )}
      </Command.List>
    </Command>
  )
}

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
