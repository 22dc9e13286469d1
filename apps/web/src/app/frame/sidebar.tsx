import { ActivityIcon, SearchIcon, SettingsIcon } from 'lucide-react'
import { Brand } from '../../components/brand.tsx'
import { PanelBoundary } from '../../components/panel-boundary.tsx'
import { useAccountDialogs } from '../../features/accounts/account-dialogs-provider.tsx'
import { UserBar } from '../../features/accounts/user-bar.tsx'
import { CategoryList } from '../../features/library/categories/category-list.tsx'
import { TagFilter } from '../../features/library/tags/tag-filter.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { cn } from '../../lib/utils.ts'
import { useAppDialogs } from '../dialogs/app-dialogs.ts'
import { Navigation, navigationRow } from './navigation.tsx'
import { PaletteButton } from './palette-button.tsx'
import { useSidebarFilters } from './use-sidebar-filters.ts'

export interface SidebarProps {
  /** The drawer lists categories on every view. */
  inDrawer?: boolean
  /** The drawer closes on a way to another page. */
  onNavigate?: () => void
  /** The drawer gives way to the palette. */
  onOpenPalette?: () => void
  className?: string
}

/** Brand, person, pages, filters of the page in view, and what belongs to the installation. */
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
      <SidebarFooter />
    </aside>
  )
}

function SidebarFooter() {
  const { user, isAdmin } = useSession()
  const { open } = useAppDialogs()
  return (
    <div className="mx-3 grid gap-0.5 border-t border-line py-2">
      {isAdmin && (
        <a href="/test-dashboard.html" target="_blank" rel="noopener" className={navigationRow}>
          <ActivityIcon />
          Test Dashboard
        </a>
      )}
      <button
        type="button"
        disabled={!user}
        onClick={() => open('settings')}
        className={cn(navigationRow, 'disabled:pointer-events-none disabled:opacity-65')}
      >
        <SettingsIcon />
        {isAdmin ? 'Admin Settings' : 'Settings'}
      </button>
    </div>
  )
}
