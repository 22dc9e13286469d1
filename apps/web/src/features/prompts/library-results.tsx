import type { ListedPrompt } from '@catenary/contracts'
import { Button } from '../../components/ui/button.tsx'
import { VirtualGrid } from '../../components/virtual/virtual-grid.tsx'
import type { GridSelection } from '../../components/virtual/virtual-selection.ts'
import { useShownDensity } from '../../lib/appearance/density.ts'
import { useMediaQuery } from '../../lib/appearance/media-query.ts'
import type { LibraryView } from '../../lib/filters.ts'
import type { List } from '../../lib/lists.ts'
import type { PromptActions } from './prompt-actions.ts'
import { PromptCard } from './prompt-card.tsx'
import { PromptRow } from './prompt-row.tsx'

/** Widths of the page's inside, in px, from which two and three cards stand side by side. */
const GRID_BREAKPOINTS = [620, 940]
const LIST_BREAKPOINTS: number[] = []
/** Heights in px: a card and a row, on a desk by its density and on a phone. */
const CARD_HEIGHT = { comfortable: 206, compact: 178, phone: 220 }
const ROW_HEIGHT = { comfortable: 58, compact: 46, phone: 86 }
const GAP = { comfortable: 12, compact: 8, phone: 12 }
const NARROW = '(max-width: 1100px)'

export interface LibraryResultsProps {
  name: string
  prompts: ListedPrompt[]
  actions: PromptActions
  view: LibraryView
  compact: boolean
  selection: GridSelection | undefined
  isSelected: (id: number) => boolean
  onNearEnd: () => void
}

export function LibraryResults({
  name,
  prompts,
  actions,
  view,
  compact,
  selection,
  isSelected,
  onNearEnd,
}: LibraryResultsProps) {
  const density = useShownDensity()
  const isGrid = view === 'grid'
  const isNarrow = useMediaQuery(NARROW)
  const isPhone = compact || (isNarrow && !isGrid)
  const size = isPhone ? 'phone' : density
  const Item = isGrid ? PromptCard : PromptRow
  return (
    <VirtualGrid
      label="Prompts"
      name={`prompts ${name}`}
      items={prompts}
      getKey={keyOf}
      renderItem={(prompt) => (
        <Item prompt={prompt} actions={actions} compact={isPhone} isSelected={isSelected(prompt.id)} />
      )}
      selection={selection}
      breakpoints={isGrid ? GRID_BREAKPOINTS : LIST_BREAKPOINTS}
      rowHeight={(isGrid ? CARD_HEIGHT : ROW_HEIGHT)[size]}
      gap={isGrid ? GAP[size] : 0}
      onNearEnd={onNearEnd}
      className="px-6 pt-0.5 pb-6 max-md:px-3.5"
      listClassName={isGrid ? undefined : 'border-t border-line'}
    />
  )
}

function keyOf({ id }: ListedPrompt): number {
  return id
}

export interface ResultsFooterProps {
  list: List<ListedPrompt>
  isCutShort: boolean
  onRetry: () => void
}

export function ResultsFooter({ list: { items, total, isMore }, isCutShort, onRetry }: ResultsFooterProps) {
  const first = Math.min(1, total)
  return (
    <footer className="flex h-12 shrink-0 items-center justify-between gap-3 border-t border-line px-6 max-md:px-3.5 [@media(max-height:20rem)]:h-11">
      <p className="text-sm text-text-3">
        Showing {first} to {items.length} of {isMore && 'more than '}
        {total} results
        {isCutShort && (
          <Button variant="link" size="sm" onClick={onRetry} className="ml-2">
            Try to load the rest again
          </Button>
        )}
      </p>
      <div className="flex gap-2">
        <Button variant="secondary" size="sm" disabled className="min-h-0!">
          Previous
        </Button>
        <Button variant="secondary" size="sm" disabled className="min-h-0!">
          Next
        </Button>
      </div>
    </footer>
  )
}
