import type { TaxonomyEntry, TaxonomyKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { SearchIcon } from 'lucide-react'
import { useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { SettingsPanel, SettingsRows } from '../../../components/settings-panel.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { EntryRow } from './entry-row.tsx'
import { taxonomyQuery } from './taxonomy.queries.ts'
import { TAXONOMY_TEXTS } from './taxonomy-texts.ts'

/** How many are shown; search finds the rest. */
const SHOWN_MAX = 100
const KINDS: readonly TaxonomyKind[] = ['category', 'prompt', 'variable', 'chain']

/** The categories and tags that everyone shares: renamed, merged, deleted. */
export function TaxonomyPanel() {
  const [kind, setKind] = useState<TaxonomyKind>('category')
  const { data: labels, error, refetch } = useQuery(taxonomyQuery(kind))
  return (
    <SettingsPanel
      title="Categories and tags"
      description="Everyone shares them. A change applies everywhere."
    >
      <SegmentedControl
        aria-label="Kind"
        value={kind}
        onValueChange={setKind}
        className="justify-self-start max-md:grid max-md:w-full max-md:grid-cols-2"
      >
        {KINDS.map((one) => (
          <SegmentedControlItem key={one} value={one}>
            {TAXONOMY_TEXTS[one].title}
          </SegmentedControlItem>
        ))}
      </SegmentedControl>
      {labels ? (
        <EntryList key={kind} kind={kind} labels={labels} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-60" />
      )}
    </SettingsPanel>
  )
}

function EntryList({ kind, labels }: { kind: TaxonomyKind; labels: TaxonomyEntry[] }) {
  const [search, setSearch] = useState('')
  const { plural, searchLabel } = TAXONOMY_TEXTS[kind]
  const wanted = search.trim().toLowerCase()
  const found = labels.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <div className="grid gap-2.5">
      <div className="relative">
        <SearchIcon className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3" />
        <Input
          type="search"
          aria-label={searchLabel}
          placeholder="Search by name"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="pl-8.5"
        />
      </div>
      {found.length > 0 && (
        <SettingsRows label={plural}>
          {found.slice(0, SHOWN_MAX).map((label) => (
            <EntryRow key={label.id} kind={kind} entry={label} others={labels} />
          ))}
        </SettingsRows>
      )}
      <p role="status" className="text-xs text-text-3">
        {found.length > SHOWN_MAX
          ? `The first ${SHOWN_MAX} of ${found.length}. Search to find others.`
          : `${found.length} ${found.length === 1 ? TAXONOMY_TEXTS[kind].singular : plural.toLowerCase()}`}
      </p>
    </div>
  )
}
