import { useLocation } from 'wouter'
import { withChange } from '../../lib/address.ts'
import { type Filters, toggleId, useFilters, writeFilters } from '../../lib/filters.ts'
import { LIBRARY, sectionAt } from '../pages.ts'

/** The filters that the sidebar shows; choosing one on a page without a list leads to the list. */
export function useSidebarFilters() {
  const [path, navigate] = useLocation()
  const [filters, change] = useFilters()
  const { kind, pages } = sectionAt(path)

  const filterAt = (list: string, chosen: Partial<Filters>) => {
    if (path === list) change(chosen)
    else navigate(`${list}?${withChange(new URLSearchParams(), writeFilters(chosen))}`)
  }
  return {
    kind,
    filters,
    selectCategory: (categoryId: number | null) => filterAt(LIBRARY.path, { categoryId }),
    toggleTag: (id: number) => filterAt(pages[0].path, { tagIds: toggleId({ ids: filters.tagIds, id }) }),
  }
}
