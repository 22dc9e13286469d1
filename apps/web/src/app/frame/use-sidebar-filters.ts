import type { TagKind } from '@catenary/contracts'
import { useLocation } from 'wouter'
import { toggleId, useFilters, writeFilters } from '../../lib/filters.ts'

/** What the page in view lists; each has tags of its own. */
export type SidebarView = TagKind

/** Which of the three views a path belongs to; running a prompt is part of the prompts. */
export function viewOfPath(path: string): SidebarView {
  if (path.startsWith('/variables')) return 'variable'
  return path.startsWith('/chains') ? 'chain' : 'prompt'
}

/** The filters that the sidebar shows, and what choosing one does on the page in view. */
export function useSidebarFilters() {
  const [path, navigate] = useLocation()
  const [filters, change] = useFilters()
  const view = viewOfPath(path)
  const isLibrary = path === '/'

  const selectCategory = (categoryId: number | null) => {
    if (isLibrary) change({ categoryId })
    else navigate(`/?${writeFilters({ params: new URLSearchParams(), change: { categoryId } })}`)
  }
  const toggleTag = (id: number) => {
    const tagIds = toggleId({ ids: filters.tagIds, id })
    if (view === 'prompt' && !isLibrary) {
      navigate(`/?${writeFilters({ params: new URLSearchParams(), change: { tagIds } })}`)
    } else change({ tagIds })
  }
  return { view, filters, selectCategory, toggleTag }
}
