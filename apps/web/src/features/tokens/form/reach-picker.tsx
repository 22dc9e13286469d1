import { isFound, READ_TOKEN_TEXTS, TOKEN_TEXTS } from '@catenary/contracts'
import { useState } from 'react'
import { Input } from '../../../components/ui/input.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { toggleId } from '../../../lib/filters.ts'

const TEXTS = {
  chain: { legend: 'Chains included', none: TOKEN_TEXTS.noChains, choose: TOKEN_TEXTS.selectSome },
  prompt: { legend: 'Prompts', none: READ_TOKEN_TEXTS.noPrompts, choose: READ_TOKEN_TEXTS.choosePrompts },
}

/** From this many on they are searched rather than listed. */
const SEARCH_FROM = 8
const SHOWN_MAX = 200

interface Choice {
  id: number
  name: string
  description?: string
}

export interface ReachPickerProps {
  noun: keyof typeof TEXTS
  choices: readonly Choice[] | undefined
  /** Before all others, in every search. */
  first?: readonly Choice[]
  chosen: readonly number[]
  onChange: (ids: number[]) => void
  /** Asks for others; without it the choices are all that there are. */
  onSearch?: (search: string) => void
  hint?: string
}

export function ReachPicker(props: ReachPickerProps) {
  const { noun, choices, first = [], chosen, onChange, onSearch, hint = TEXTS[noun].choose } = props
  const [search, setSearch] = useState('')
  if (!choices) return <Skeleton className="h-[236px]" />
  if (choices.length === 0) return <p className="text-sm text-text-2">{TEXTS[noun].none}</p>
  const others = choices.filter(({ id }) => !first.some((one) => one.id === id))
  const found = others
    .filter(({ name, description = '' }) => isFound(`${name}\n${description}`, search))
    .slice(0, SHOWN_MAX)
  const count = onSearch ? chosen.length : `${chosen.length} of ${choices.length}`
  return (
    <div className="grid gap-2">
      <div className="overflow-hidden rounded-control border border-line">
        {(onSearch || choices.length >= SEARCH_FROM) && (
          <Input
            type="search"
            aria-label={`Search ${noun}s`}
            placeholder={`Search ${noun}s`}
            value={search}
            onChange={({ target }) => {
              setSearch(target.value)
              onSearch?.(target.value.trim())
            }}
            className="rounded-none border-0 border-b"
          />
        )}
        <fieldset className="h-[200px] min-w-0 overflow-y-auto p-1">
          <legend className="sr-only">{TEXTS[noun].legend}</legend>
          {[...first, ...found].map(({ id, name, description = '' }) => (
            <label
              key={id}
              className="flex items-start gap-2.5 rounded-[6px] px-2 py-1.5 hover:bg-hover pointer-coarse:min-h-11"
            >
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={() => onChange(toggleId({ ids: chosen, id }))}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                <span dir="auto" className="block truncate text-sm">
                  {name}
                </span>
                {description !== '' && (
                  <span dir="auto" className="block truncate text-xs text-text-3">
                    {description}
                  </span>
                )}
              </span>
            </label>
          ))}
          {found.length === 0 && search.trim() !== '' && (
            <p className="px-2 py-6 text-center text-sm text-text-3">
              No {first.length > 0 && 'other '}
              {noun} has that name.
            </p>
          )}
        </fieldset>
      </div>
      <p className="text-xs text-text-3">{chosen.length === 0 ? hint : `${count} chosen`}</p>
    </div>
  )
}
