import type { TagKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ActivityIcon, SearchIcon, SettingsIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { Brand } from '../../components/brand.tsx'
import { PanelBoundary } from '../../components/panel-boundary.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useAccountDialogs } from '../../features/accounts/account-dialogs-provider.tsx'
import { useIsTold } from '../../features/accounts/use-is-told.ts'
import { UserBar } from '../../features/accounts/user-bar.tsx'
import { waitingCountQuery } from '../../features/asks/asks.queries.ts'
import { chainCountQuery } from '../../features/chains/chains.queries.ts'
import { categoriesQuery } from '../../features/library/categories/categories.queries.ts'
import { CategoryList } from '../../features/library/categories/category-list.tsx'
import { TagFilter } from '../../features/library/tags/tag-filter.tsx'
import { variableCountQuery } from '../../features/variables/variables.queries.ts'
import { withChange } from '../../lib/address.ts'
import { type Filters, toggleId, useFilters, writeFilters } from '../../lib/filters.ts'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { useSession } from '../../lib/session/session.tsx'
import { cn } from '../../lib/utils.ts'
import { useAppDialogs } from '../dialogs/app-dialogs.ts'
import { LIBRARY, SECTIONS, sectionAt } from '../pages.ts'

const navigationRow =
  'flex h-8 w-full items-center gap-2.5 rounded-control px-2 text-base text-text-2 hover:bg-hover hover:text-text pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0'

const currentRow = 'bg-accent-soft font-medium text-accent-text hover:bg-accent-soft hover:text-accent-text'

export interface SidebarProps {
  inDrawer?: boolean
  onNavigate?: () => void
  onOpenPalette?: () => void
  className?: string
}

export function Sidebar({ inDrawer = false, onNavigate, onOpenPalette, className }: SidebarProps) {
  const dialogs = useAccountDialogs()
  const { kind, filters, selectCategory, toggleTag } = useSidebarFilters()
  return (
    <aside aria-label="Sidebar" className={cn('flex min-h-0 shrink-0 flex-col bg-bg', className)}>
      <div className="grid gap-2.5 px-3 pt-4 pb-3">
        <div className="flex h-7 items-center justify-between">
          <Brand className="px-2" />
          {!inDrawer && <PaletteButton />}
        </div>
        <UserBar onLogIn={() => dialogs.open('login')} onRegister={() => dialogs.open('register')} />
      </div>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-3 overflow-y-auto px-3 pb-4">
        <div className="grid gap-0.5">
          {onOpenPalette && (
            <button type="button" onClick={onOpenPalette} className={navigationRow}>
              <SearchIcon />
              Find, run or create
            </button>
          )}
          <Navigation onNavigate={onNavigate} />
        </div>
        {(inDrawer || kind === 'prompt') && (
          <PanelBoundary title="Categories">
            <CategoryList selectedId={filters.categoryId} onSelect={selectCategory} />
          </PanelBoundary>
        )}
        {kind && (
          <PanelBoundary title="Tags">
            <TagFilter key={kind} kind={kind} selectedIds={filters.tagIds} onToggle={toggleTag} />
          </PanelBoundary>
        )}
      </div>
      <SidebarFooter onNavigate={onNavigate} />
    </aside>
  )
}

function SidebarFooter({ onNavigate }: Pick<SidebarProps, 'onNavigate'>) {
  const { user, isAdmin } = useSession()
  const { open } = useAppDialogs()
  const [path] = useLocation()
  const isCurrent = sectionAt(path).isApart
  return (
    <div className="mx-3 grid gap-0.5 border-t border-line py-2">
      {isAdmin && (
        <a href="/test-dashboard.html" target="_blank" rel="noopener" className={navigationRow}>
          <ActivityIcon />
          Test Dashboard
        </a>
      )}
      {user && !isAdmin ? (
        <Link
          href="/settings"
          onClick={onNavigate}
          aria-current={isCurrent ? 'page' : undefined}
          className={cn(navigationRow, isCurrent && currentRow)}
        >
          <SettingsIcon />
          Settings
        </Link>
      ) : (
        <button
          type="button"
          disabled={!user}
          onClick={() => open('settings')}
          className={cn(
            navigationRow,
            'disabled:pointer-events-none disabled:opacity-65',
            isCurrent && currentRow,
          )}
        >
          <SettingsIcon />
          {isAdmin ? 'Admin Settings' : 'Settings'}
        </button>
      )}
    </div>
  )
}

function Navigation({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const [path] = useLocation()
  const counts = useCounts()
  const waiting = useWaitingCount()
  const current = sectionAt(path)
  return (
    <nav aria-label="Main" className="grid gap-0.5">
      {SECTIONS.filter(({ isApart }) => !isApart).map((section) => {
        const { label, Icon, kind, isWaiting, pages } = section
        const count = isWaiting ? waiting : kind && counts[kind]
        return (
          <Link
            key={label}
            href={pages[0].path}
            onClick={onNavigate}
            aria-current={section === current ? 'page' : undefined}
            className={cn(navigationRow, section === current && currentRow)}
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

/** Nothing where nothing waits. */
function useWaitingCount(): number | undefined {
  const { user } = useSession()
  const isTold = useIsTold('asks')
  const { data } = useQuery({ ...waitingCountQuery, enabled: user !== null && isTold })
  return (user && isTold && data?.count) || undefined
}

function PaletteButton() {
  const { open, preloadPalette } = useAppDialogs()
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label="Command palette"
      aria-keyshortcuts={useAriaKeys('palette')}
      onClick={() => open('palette')}
      onPointerEnter={preloadPalette}
      onFocus={preloadPalette}
      className="gap-1.5 px-1.5 text-text-3"
    >
      <SearchIcon />
      <ShortcutKeys id="palette" />
    </Button>
  )
}

function useSidebarFilters() {
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
