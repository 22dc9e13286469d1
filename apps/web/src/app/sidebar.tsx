import { ActivityIcon, SettingsIcon } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Brand } from '../components/brand.tsx'
import { PanelBoundary } from '../components/panel-boundary.tsx'
import { UserBar } from '../features/accounts/user-bar.tsx'
import { CategoryList } from '../features/categories/category-list.tsx'
import { TagFilter } from '../features/tags/tag-filter.tsx'
import { useSession } from '../lib/session.tsx'
import { cn } from '../lib/utils.ts'
import { useAccountDialogs } from './account-dialogs-provider.tsx'
import { Navigation, navigationRow } from './navigation.tsx'
import { useSidebarFilters } from './use-sidebar-filters.ts'

const SettingsDialog = lazy(() => import('./settings-dialog.tsx'))

export interface SidebarProps {
  /** The drawer lists categories on every view and closes on a way to another page. */
  inDrawer?: boolean
  onNavigate?: () => void
  className?: string
}

/** Brand, person, pages, filters of the page in view, and what belongs to the installation. */
export function Sidebar({ inDrawer = false, onNavigate, className }: SidebarProps) {
  const dialogs = useAccountDialogs()
  const { view, filters, selectCategory, toggleTag } = useSidebarFilters()
  return (
    <aside aria-label="Sidebar" className={cn('flex min-h-0 shrink-0 flex-col bg-bg', className)}>
      <div className="grid gap-2.5 px-3 pt-4 pb-3">
        <Brand className="px-2 pb-0.5" />
        <UserBar onLogIn={() => dialogs.open('login')} onRegister={() => dialogs.open('register')} />
      </div>
      <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto px-3 pb-4">
        <Navigation onNavigate={onNavigate} />
        {(inDrawer || view === 'prompt') && (
          <PanelBoundary title="Categories">
            <CategoryList selectedId={filters.categoryId} onSelect={selectCategory} />
          </PanelBoundary>
        )}
        <PanelBoundary title="Tags">
          <TagFilter key={view} kind={view} selectedIds={filters.tagIds} onToggle={toggleTag} />
        </PanelBoundary>
      </div>
      <SidebarFooter />
    </aside>
  )
}

function SidebarFooter() {
  const { user, isAdmin } = useSession()
  const [isSettingsOpen, setIsSettingsOpen] = useState(false)
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
        onClick={() => setIsSettingsOpen(true)}
        className={cn(navigationRow, 'disabled:pointer-events-none disabled:opacity-60')}
      >
        <SettingsIcon />
        {isAdmin ? 'Admin Settings' : 'Settings'}
      </button>
      {isSettingsOpen && (
        <Suspense>
          <SettingsDialog onClose={() => setIsSettingsOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
