import type { TaxonomyKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { SettingsPanel, SettingsPart } from '../../../components/settings-panel.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { ProtectedLabels } from '../labels/protected-labels.tsx'
import { SearchedRows } from '../searched-rows.tsx'
import { EntryRow } from './entry-row.tsx'
import { taxonomyQuery } from './taxonomy.queries.ts'
import { TAXONOMY_TEXTS } from './taxonomy-texts.ts'

const KINDS: readonly TaxonomyKind[] = ['category', 'prompt', 'variable', 'chain']

export default function OrganisePanel() {
  return (
    <SettingsPanel title="Tags and labels">
      <Taxonomy />
      <ProtectedLabels />
    </SettingsPanel>
  )
}

function Taxonomy() {
  const [kind, setKind] = useState<TaxonomyKind>('category')
  const texts = TAXONOMY_TEXTS[kind]
  const { data: labels, error, refetch } = useQuery(taxonomyQuery(kind))
  return (
    <SettingsPart
      title="Categories and tags"
      description="Everyone shares them, so a change applies everywhere."
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
        <SearchedRows
          key={kind}
          label={texts.plural}
          searchLabel={texts.searchLabel}
          placeholder="Search by name"
          items={labels}
          textOf={({ name }) => name}
          renderRow={(entry) => <EntryRow key={entry.id} kind={kind} entry={entry} others={labels} />}
          countText={(count) => `${count} ${count === 1 ? texts.singular : texts.plural.toLowerCase()}`}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-60" />
      )}
    </SettingsPart>
  )
}
