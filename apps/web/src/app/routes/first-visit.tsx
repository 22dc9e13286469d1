import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Redirect } from 'wouter'
import { categoriesQuery } from '../../features/categories/categories.queries.ts'
import { promptsQuery } from '../../features/prompts/prompts.queries.ts'
import { useFilters } from '../../lib/filters.ts'
import { useSession } from '../../lib/session.tsx'
import { PageSpinner } from './page-spinner.tsx'

const STORAGE_KEY = 'catenary.visited'

/** Remembers that this browser has seen the landing page. */
export function rememberVisit(): void {
  try {
    localStorage.setItem(STORAGE_KEY, '1')
  } catch {}
}

/** Greets a newcomer with the landing page where the library has nothing to show them yet. */
export function FirstVisit({ children }: { children: ReactNode }) {
  const [isFirst] = useState(() => !hasVisited())
  const { status } = useSession()
  const [filters] = useFilters()
  usePrefetchInfiniteQuery(promptsQuery(filters))
  const mayGreet = isFirst && status !== 'signed-in'
  const { data: categories, isPending } = useQuery({ ...categoriesQuery, enabled: mayGreet })
  if (!mayGreet) return children
  if (status === 'loading' || isPending) return <PageSpinner />
  const isEmpty = categories?.every(({ count }) => count === 0)
  return isEmpty ? <Redirect to="/auth" replace /> : children
}

function hasVisited(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null
  } catch {
    return true
  }
}
