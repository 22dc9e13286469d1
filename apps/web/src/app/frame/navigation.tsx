import type { TagKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { chainCountQuery } from '../../features/chains/chains.queries.ts'
import { categoriesQuery } from '../../features/library/categories/categories.queries.ts'
import { variableCountQuery } from '../../features/variables/variables.queries.ts'
import { cn } from '../../lib/utils.ts'
import { SECTIONS, sectionAt } from '../pages.ts'

/** A row of the sidebar that leads somewhere. */
export const navigationRow =
  'flex h-8 w-full items-center gap-2.5 rounded-control px-2 text-base text-text-2 hover:bg-hover hover:text-text pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0'

/** The sections, with how much each holds. */
export function Navigation({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const [path] = useLocation()
  const counts = useCounts()
  const current = sectionAt(path)
  return (
    <nav aria-label="Main" className="grid gap-0.5">
      {SECTIONS.map((section) => {
        const { label, Icon, kind, pages } = section
        const count = kind && counts[kind]
        return (
          <Link
            key={label}
            href={pages[0].path}
            onClick={onNavigate}
            aria-current={section === current ? 'page' : undefined}
            className={cn(
              navigationRow,
              section === current &&
                'bg-accent-soft font-medium text-accent-text hover:bg-accent-soft hover:text-accent-text',
            )}
          >
            <Icon />
            <span className="flex-1">{label}</span>{' '}
            {count !== undefined && <span className="text-sm">{count}</span>}
          </Link>
        )
      })}
    </nav>
  )
}

function useCounts(): Record<TagKind, number | undefined> {
  const { data: categories } = useQuery(categoriesQuery)
  const { data: variables } = useQuery(variableCountQuery)
  const { data: chains } = useQuery(chainCountQuery)
  return {
    prompt: categories?.reduce((sum, { count }) => sum + count, 0),
    variable: variables ?? undefined,
    chain: chains ?? undefined,
  }
}
