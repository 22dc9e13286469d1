import { useQuery } from '@tanstack/react-query'
import { BracesIcon, LinkIcon, type LucideIcon, MessageSquareTextIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { categoriesQuery } from '../../features/categories/categories.queries.ts'
import { chainCountQuery } from '../../features/chains/chains.queries.ts'
import { variableCountQuery } from '../../features/variables/variables.queries.ts'
import { cn } from '../../lib/utils.ts'
import { type SidebarView, viewOfPath } from './use-sidebar-filters.ts'

/** A row of the sidebar that leads somewhere. */
export const navigationRow =
  'flex h-8 w-full items-center gap-2.5 rounded-control px-2 text-base text-text-2 hover:bg-hover hover:text-text pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0'

const ENTRIES: { view: SidebarView; href: string; label: string; Icon: LucideIcon }[] = [
  { view: 'prompt', href: '/', label: 'Prompts', Icon: MessageSquareTextIcon },
  { view: 'variable', href: '/variables', label: 'Variables', Icon: BracesIcon },
  { view: 'chain', href: '/chains', label: 'Chains', Icon: LinkIcon },
]

/** The three pages, with how much each holds. */
export function Navigation({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const [path] = useLocation()
  const counts = useCounts()
  const current = viewOfPath(path)
  return (
    <nav aria-label="Main" className="grid gap-0.5">
      {ENTRIES.map(({ view, href, label, Icon }) => (
        <Link
          key={view}
          href={href}
          onClick={onNavigate}
          aria-current={view === current ? 'page' : undefined}
          className={cn(
            navigationRow,
            view === current &&
              'bg-accent-soft font-medium text-accent-text hover:bg-accent-soft hover:text-accent-text',
          )}
        >
          <Icon />
          <span className="flex-1">{label}</span>{' '}
          {counts[view] !== undefined && <span className="text-sm">{counts[view]}</span>}
        </Link>
      ))}
    </nav>
  )
}

function useCounts(): Partial<Record<SidebarView, number | undefined>> {
  const { data: categories } = useQuery(categoriesQuery)
  const { data: variables } = useQuery(variableCountQuery)
  const { data: chains } = useQuery(chainCountQuery)
  return {
    prompt: categories?.reduce((sum, { count }) => sum + count, 0),
    variable: variables ?? undefined,
    chain: chains ?? undefined,
  }
}
