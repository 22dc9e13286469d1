import { type Category, PROMPT_SORTS, type PromptSort, type Tag } from '@catenary/contracts'
import { ArrowUpDownIcon, ChevronDownIcon, LayoutGridIcon, ListIcon, XIcon } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../../components/ui/popover.tsx'
import { RadioMenu } from '../../components/ui/radio-menu.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { type Filters, toggleId } from '../../lib/filters.ts'
import { useSession } from '../../lib/session/session.tsx'
import { cn } from '../../lib/utils.ts'
import { TagChoice, TagToggles } from '../library/tags/tag-toggles.tsx'
import { OwnershipFilter } from '../records/shares/ownership-filter.tsx'
import { ViewsMenu } from '../views/views-menu.tsx'

export interface LibraryToolbarProps {
  filters: Filters
  onChange: (change: Partial<Filters>) => void
  categories: readonly Category[]
  tags: readonly Tag[]
  count: string | undefined
}

const SORT_LABELS: Record<PromptSort, string> = { updated: 'Updated', created: 'Created', title: 'Title' }

export function LibraryToolbar({ filters, onChange, categories, tags, count }: LibraryToolbarProps) {
  const { user } = useSession()
  const selectedTags = tags.filter(({ id }) => filters.tagIds.includes(id))
  const toggleTag = (id: number) => onChange({ tagIds: toggleId({ ids: filters.tagIds, id }) })
  return (
    <div
      role="toolbar"
      aria-label="Filters and view"
      className="flex shrink-0 items-center gap-2 px-6 py-3 max-md:px-3.5 max-md:py-2"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <OwnershipFilter value={filters.ownership} onChange={(ownership) => onChange({ ownership })} />
        <CategoryFilter
          categories={categories}
          value={filters.categoryId}
          onChange={(categoryId) => onChange({ categoryId })}
        />
        <TagsFilter
          tags={tags}
          selectedIds={filters.tagIds}
          onToggle={toggleTag}
          onClear={() => onChange({ tagIds: [] })}
        />
        {selectedTags.length > 0 && (
          <TagToggles
            aria-label="Tags that filter"
            tags={selectedTags}
            selectedIds={filters.tagIds}
            onToggle={toggleTag}
            chipClassName="h-6"
          />
        )}
      </div>
      <div
        className={cn(
          'ml-auto flex shrink-0 items-center gap-3 max-md:gap-1',
          // The count under the two buttons, so that the filters keep their line.
          user && 'max-md:max-w-24 max-md:flex-wrap max-md:justify-end',
        )}
      >
        {count !== undefined && (
          <p className="text-sm text-text-3 max-md:order-last md:hidden">
            {count} {count === '1' ? 'result' : 'results'}
          </p>
        )}
        <ViewsMenu page="prompts" />
        <SortMenu value={filters.sort} onChange={(sort) => onChange({ sort })} />
        <SegmentedControl
          aria-label="View"
          value={filters.view}
          onValueChange={(view) => onChange({ view })}
          className="max-md:hidden"
        >
          <SegmentedControlItem value="grid" aria-label="Grid">
            <LayoutGridIcon />
          </SegmentedControlItem>
          <SegmentedControlItem value="list" aria-label="List">
            <ListIcon />
          </SegmentedControlItem>
        </SegmentedControl>
      </div>
    </div>
  )
}

function CategoryFilter({
  categories,
  value,
  onChange,
}: {
  categories: readonly Category[]
  value: number | null
  onChange: (categoryId: number | null) => void
}) {
  const selected = categories.find(({ id }) => id === value)
  return (
    <div className="flex min-w-0">
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button
            variant="secondary"
            aria-label={`Category: ${selected?.name ?? 'All categories'}`}
            className={selected && 'min-w-0 rounded-r-none border-r-0 pr-1.5'}
          >
            <span className="truncate">{selected?.name ?? 'All categories'}</span>
            {!selected && <ChevronDownIcon className="text-text-3" />}
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start" className="max-h-96">
          <DropdownMenuRadioGroup
            value={String(value ?? '')}
            onValueChange={(id) => onChange(id === '' ? null : Number(id))}
          >
            <DropdownMenuRadioItem value="">All categories</DropdownMenuRadioItem>
            {categories.map(({ id, name, count }) => (
              <DropdownMenuRadioItem key={id} value={String(id)} data-category-id={id}>
                <span dir="auto" className="flex-1 truncate">
                  {name}
                </span>
                <span className="text-xs text-text-3">{count}</span>
              </DropdownMenuRadioItem>
            ))}
          </DropdownMenuRadioGroup>
        </DropdownMenuContent>
      </DropdownMenu>
      {selected && (
        <Button
          variant="secondary"
          size="icon"
          aria-label={`Clear category ${selected.name}`}
          onClick={() => onChange(null)}
          className="w-7 rounded-l-none border-l-0 pointer-coarse:w-11"
        >
          <XIcon />
        </Button>
      )}
    </div>
  )
}

function TagsFilter({
  tags,
  selectedIds,
  onToggle,
  onClear,
}: {
  tags: readonly Tag[]
  selectedIds: readonly number[]
  onToggle: (id: number) => void
  onClear: () => void
}) {
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="secondary">
          Tags
          <ChevronDownIcon className="text-text-3" />
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label="Tags" className="grid gap-2">
        {tags.length === 0 && <p className="text-sm text-text-3">No tags yet</p>}
        {tags.length > 0 && (
          <TagChoice
            aria-label="Tags"
            tags={tags}
            selectedIds={selectedIds}
            onToggle={onToggle}
            className="-m-1 max-h-72 overflow-y-auto p-1"
          />
        )}
        {selectedIds.length > 0 && (
          <Button variant="ghost" size="sm" className="justify-self-start" onClick={onClear}>
            Clear tags
          </Button>
        )}
      </PopoverContent>
    </Popover>
  )
}

function SortMenu({ value, onChange }: { value: PromptSort; onChange: (sort: PromptSort) => void }) {
  return (
    <RadioMenu
      value={value}
      choices={PROMPT_SORTS.map((sort) => ({ value: sort, label: SORT_LABELS[sort] }))}
      onChange={onChange}
      align="end"
    >
      <Button
        variant="ghost"
        aria-label={`Sort by: ${SORT_LABELS[value]}`}
        className="max-md:w-11 max-md:px-0"
      >
        <ArrowUpDownIcon className="md:hidden" />
        <span className="max-md:hidden">{SORT_LABELS[value]}</span>
        <ChevronDownIcon className="text-text-3 max-md:hidden" />
      </Button>
    </RadioMenu>
  )
}
