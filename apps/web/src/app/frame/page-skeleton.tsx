import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { BackLink } from '../../components/back-link.tsx'
import type { PageSkeletonProps } from '../../components/frame-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { pageAt, sectionAt } from '../pages.ts'

const CARDS = [0, 1, 2, 3]
/** The pages whose title is their record's. */
const NAMED = /^\/(execute|chains)\/(\d+)$/

/** A page's own frame, from before its code and what it shows are there. */
export function ShownPageSkeleton({ title, children }: PageSkeletonProps) {
  const [path] = useLocation()
  const { name = sectionAt(path).label, path: pattern = path } = pageAt(path) ?? {}
  const [, door, id] = NAMED.exec(path) ?? []
  const listed = useListedName({ noun: door === 'chains' ? 'chains' : 'prompts', id: Number(id) })
  // What is one of many, or behind a first page, has a way back.
  const isFirst = !pattern.includes('/', 1) || pattern.startsWith('/settings') || pattern.startsWith('/docs')
  const parent = pattern === '/chains/:id' ? '/chains' : sectionAt(path).pages[0].path
  return (
    <>
      <PageHeader
        title={title ?? listed ?? name}
        start={!isFirst && <BackLink href={parent} label="Back" />}
      />
      {children ?? (
        <div role="status" className="grid content-start gap-3 px-6 py-5 max-md:px-3.5">
          <span className="sr-only">Loading...</span>
          {CARDS.map((card) => (
            <div key={card} className="grid h-28 content-start gap-3 rounded-card border border-line p-3.5">
              <Skeleton className="h-4 w-1/3" />
              <Skeleton className="h-3 w-4/5" />
              <Skeleton className="h-3 w-1/2" />
            </div>
          ))}
        </div>
      )}
    </>
  )
}

interface Named {
  id: number
  title?: string
  name?: string
}
type Seen = Partial<InfiniteData<{ items: Named[] }>>

/** What a list that was seen calls a record, before the record itself is there. */
function useListedName({ noun, id }: { noun: 'prompts' | 'chains'; id: number }): string | undefined {
  const lists = useQueryClient().getQueriesData<Seen>({ queryKey: [noun, 'list'] })
  const rows = lists.flatMap(([, list]) => list?.pages?.flatMap(({ items }) => items) ?? [])
  const row = rows.find((row) => row.id === id)
  return row?.title ?? row?.name
}
