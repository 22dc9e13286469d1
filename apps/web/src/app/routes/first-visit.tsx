import { usePrefetchInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Redirect } from 'wouter'
import { promptsQuery } from '../../features/prompts/prompts.queries.ts'
import { useFilters } from '../../lib/filters.ts'
import { useInstance } from '../../lib/instance.ts'

const STORAGE_KEY = 'catenary.visited'

export function rememberVisit(): void {
  try {
    localStorage.setItem(STORAGE_KEY, '1')
  } catch {}
}

export function FirstVisit({ children }: { children: ReactNode }) {
  const [isFirst] = useState(() => !hasVisited())
  const [filters] = useFilters()
  usePrefetchInfiniteQuery(promptsQuery(filters))
  const isNew = useInstance()?.registration === 'first'
  return isFirst && isNew ? <Redirect to="/auth" replace /> : children
}

function hasVisited(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null
  } catch {
    return true
  }
}
