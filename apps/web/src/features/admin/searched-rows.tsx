import { isFound } from '@catenary/contracts'
import { SearchIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { SettingsRows } from '../../components/settings-panel.tsx'
import { Input } from '../../components/ui/input.tsx'

/** How many are shown; search finds the rest. */
const SHOWN_MAX = 100

export interface SearchedRowsProps<Item> {
  label: string
  searchLabel: string
  placeholder: string
  items: readonly Item[]
  textOf: (item: Item) => string
  renderRow: (item: Item) => ReactNode
  countText: (count: number) => string
}

export function SearchedRows<Item>({
  label,
  searchLabel,
  placeholder,
  items,
  textOf,
  renderRow,
  countText,
}: SearchedRowsProps<Item>) {
  const [search, setSearch] = useState('')
  const found = items.filter((item) => isFound(textOf(item), search))
  return (
    <div className="grid gap-2.5">
      <div className="relative">
        <SearchIcon className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3" />
        <Input
          type="search"
          aria-label={searchLabel}
          placeholder={placeholder}
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="pl-8.5"
        />
      </div>
      {found.length > 0 && (
        <SettingsRows label={label}>{found.slice(0, SHOWN_MAX).map(renderRow)}</SettingsRows>
      )}
      <p role="status" className="text-xs text-text-3">
        {found.length > SHOWN_MAX
          ? `The first ${SHOWN_MAX} of ${found.length}. Search to find others.`
          : countText(found.length)}
      </p>
    </div>
  )
}
