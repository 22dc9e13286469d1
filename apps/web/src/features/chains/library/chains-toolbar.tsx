import type { Ownership, SharedLevel, Tag } from '@catenary/contracts'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { VISIBILITY_LEVELS } from '../../../lib/filters.ts'
import { TagToggles } from '../../library/tags/tag-toggles.tsx'
import { OwnershipFilter } from '../../records/shares/ownership-filter.tsx'
import { VISIBILITIES } from '../share-state.tsx'

export interface ChainsToolbarProps {
  tags: readonly Tag[]
  tagIds: readonly number[]
  onTagsChange: (tagIds: number[]) => void
  visibility: SharedLevel | null
  onVisibilityChange: (visibility: SharedLevel | null) => void
  ownership: Ownership
  onOwnershipChange: (ownership: Ownership) => void
}

const ALL = 'all'

/** Which chains are shown: by whose they are, who sees them, and the tags that the sidebar has on. */
export function ChainsToolbar({
  tags,
  tagIds,
  onTagsChange,
  visibility,
  onVisibilityChange,
  ownership,
  onOwnershipChange,
}: ChainsToolbarProps) {
  const selected = tags.filter(({ id }) => tagIds.includes(id))
  return (
    <div role="toolbar" aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <OwnershipFilter value={ownership} onChange={onOwnershipChange} />
      <SegmentedControl
        aria-label="Visibility"
        value={visibility ?? ALL}
        onValueChange={(value) => onVisibilityChange(value === ALL ? null : value)}
      >
        <SegmentedControlItem value={ALL}>All</SegmentedControlItem>
        {VISIBILITY_LEVELS.map((level) => (
          <SegmentedControlItem key={level} value={level}>
            {VISIBILITIES[level].label}
          </SegmentedControlItem>
        ))}
      </SegmentedControl>
      {selected.length > 0 && (
        <TagToggles
          aria-label="Tags that filter"
          tags={selected}
          selectedIds={tagIds}
          onToggle={(tag) => onTagsChange(tagIds.filter((id) => id !== tag))}
          chipClassName="h-6"
        />
      )}
    </div>
  )
}
