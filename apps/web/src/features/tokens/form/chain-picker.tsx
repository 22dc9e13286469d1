import { type ChainListItem, isFound, TOKEN_TEXTS } from '@catenary/contracts'
import { useState } from 'react'
import { Input } from '../../../components/ui/input.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { toggleId } from '../../../lib/filters.ts'

type SelectableChain = Pick<ChainListItem, 'id' | 'name' | 'description'>

/** From this many chains on they are searched rather than listed. */
const SEARCH_FROM = 8
const SHOWN_MAX = 200

export interface ChainPickerProps {
  chains: readonly SelectableChain[] | undefined
  value: readonly number[]
  onChange: (ids: number[]) => void
  hint?: string
}

export function ChainPicker({ chains, value, onChange, hint = TOKEN_TEXTS.selectSome }: ChainPickerProps) {
  const [search, setSearch] = useState('')
  if (!chains) return <Skeleton className="h-[200px]" />
  if (chains.length === 0) return <p className="text-sm text-text-2">{TOKEN_TEXTS.noChains}</p>
  const shown = chains
    .filter(({ name, description }) => isFound(`${name}\n${description}`, search))
    .slice(0, SHOWN_MAX)
  return (
    <div className="grid gap-2">
      <div className="overflow-hidden rounded-control border border-line">
        {chains.length >= SEARCH_FROM && (
          <Input
            type="search"
            aria-label="Search chains"
            placeholder="Search chains"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
            className="rounded-none border-0 border-b"
          />
        )}
        <fieldset className="h-[200px] min-w-0 overflow-y-auto p-1">
          <legend className="sr-only">Chains included</legend>
          {shown.map(({ id, name, description }) => (
            <label
              key={id}
              className="flex items-start gap-2.5 rounded-[6px] px-2 py-1.5 hover:bg-hover pointer-coarse:min-h-11"
            >
              <input
                type="checkbox"
                checked={value.includes(id)}
                onChange={() => onChange(toggleId({ ids: value, id }))}
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
          {shown.length === 0 && (
            <p className="px-2 py-6 text-center text-sm text-text-3">No chain has that name.</p>
          )}
        </fieldset>
      </div>
      <p className="text-xs text-text-3">
        {value.length === 0 ? hint : `${value.length} of ${chains.length} chosen`}
      </p>
    </div>
  )
}
