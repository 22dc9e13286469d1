import type { Prompt } from '@catenary/contracts'
import { Button } from '../../components/ui/button.tsx'
import { VirtualGrid } from '../../components/virtual-grid.tsx'
import type { LibraryView } from '../../lib/filters.ts'
import type { PromptActions } from './prompt-actions.ts'
import { PromptCard } from './prompt-card.tsx'
import { PromptRow } from './prompt-row.tsx'

/** Widths of the page's inside, in px, from which two and three cards stand side by side. */
const GRID_BREAKPOINTS = [620, 940]
const LIST_BREAKPOINTS: number[] = []
/** Heights in px: a card and a row, on a desk and on a phone. */
const CARD_HEIGHT = { desk: 206, compact: 220 }
const ROW_HEIGHT = { desk: 45, compact: 64 }

export interface LibraryResultsProps {
  prompts: Prompt[]
  actions: PromptActions
  view: LibraryView
  compact: boolean
}

/** The prompts as cards or as rows. */
export function LibraryResults({ prompts, actions, view, compact }: LibraryResultsProps) {
  const size = compact ? 'compact' : 'desk'
  const isGrid = view === 'grid'
  const Item = isGrid ? PromptCard : PromptRow
  return (
    <VirtualGrid
      label="Prompts"
      items={prompts}
      getKey={keyOf}
      renderItem={(prompt) => <Item prompt={prompt} actions={actions} compact={compact} />}
      breakpoints={isGrid ? GRID_BREAKPOINTS : LIST_BREAKPOINTS}
      rowHeight={(isGrid ? CARD_HEIGHT : ROW_HEIGHT)[size]}
      gap={isGrid ? 12 : 0}
      className="px-6 pt-0.5 pb-6 max-md:px-3.5"
      listClassName={isGrid ? undefined : 'border-t border-line'}
    />
  )
}

function keyOf({ id }: Prompt): number {
  return id
}

/** How many there are. The list has no pages, so both buttons rest. */
export function ResultsFooter({ count }: { count: number }) {
  const first = Math.min(1, count)
  return (
    <footer className="flex h-12 shrink-0 items-center justify-between gap-3 border-t border-line px-6 max-md:px-3.5">
      <p className="text-sm text-text-3">
        Showing {first} to {count} of {count} results
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
