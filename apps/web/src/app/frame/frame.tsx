import { useQuery } from '@tanstack/react-query'
import { CloudOffIcon, DatabaseIcon, MenuIcon } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { BrandMark } from '../../components/brand.tsx'
import { FrameMenuContext, FrameStripContext, PageSkeletonContext } from '../../components/frame-menu.tsx'
import { part } from '../../components/part.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { FloatingLayer } from '../../components/ui/internal/floating-layer.ts'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { ByName } from '../../features/accounts/by-name.tsx'
import { useFollowedTimeZone } from '../../features/accounts/use-account-time-zone.ts'
import { useIsTold } from '../../features/accounts/use-is-told.ts'
import { AdminBanner } from '../../features/admin/admin-banner.tsx'
import { FirstStepsStrip } from '../../features/first-steps/first-steps-strip.tsx'
import { OfferBar } from '../../features/records/hand-overs/offer-bar.tsx'
import { BudgetWarning } from '../../features/usage/budget-warning.tsx'
import { budgetQuery } from '../../features/usage/usage.queries.ts'
import { useInstance } from '../../lib/instance.ts'
import { useFollowedLogOut } from '../../lib/session/private-traces.ts'
import { useOnline, useServerAway } from '../../lib/session/server-away.ts'
import { sessionQuery, useSession } from '../../lib/session/session.tsx'
import { ShownPageSkeleton } from './page-skeleton.tsx'
import { SandboxBanner } from './sandbox-banner.tsx'
import { Sidebar } from './sidebar.tsx'

const MobileDrawer = part(() => import('./mobile-drawer.tsx'))

export default function Frame({ children }: { children: ReactNode }) {
  useFollowedTimeZone()
  useFollowedLogOut()
  const [main, setMain] = useState<HTMLElement | null>(null)
  const [, navigate] = useLocation()
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const [isAddingKey, setIsAddingKey] = useState(false)
  const [isInSandbox, setIsInSandbox] = useState(false)
  const menu = (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Menu"
        className="size-11 text-text"
        onClick={() => setIsDrawerOpen(true)}
      >
        <MenuIcon className="size-5" />
      </Button>
      <BrandMark className="mr-0.5 ml-0.5 size-[22px] max-[22rem]:hidden" />
    </>
  )
  return (
    <FloatingLayer value={main}>
      <TooltipProvider>
        <div className="flex h-dvh">
          <a
            href="#page"
            className="fixed top-2 left-2 z-80 -translate-y-16 rounded-control bg-accent px-3 py-2 text-sm text-on-accent focus-visible:translate-y-0"
          >
            Skip to content
          </a>
          <Sidebar className="w-64 border-r border-line max-md:hidden print:hidden" />
          <div className="flex min-w-0 flex-1 flex-col">
            <div data-frame className="contents">
              <ConnectionLine />
              <AdminBanner onOpenBackups={() => navigate('/settings/backups')} />
              <SandboxBanner isOpen={isAddingKey} onOpenChange={setIsAddingKey} />
              <BudgetBanner />
              <OfferBar />
            </div>
            <main ref={setMain} id="page" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
              <FrameMenuContext value={menu}>
                <FrameStripContext
                  value={
                    <FirstStepsStrip
                      onAddKey={() => setIsAddingKey(true)}
                      isInSandbox={isInSandbox}
                      onSandbox={() => setIsInSandbox(true)}
                    />
                  }
                >
                  <PageSkeletonContext value={ShownPageSkeleton}>{children}</PageSkeletonContext>
                </FrameStripContext>
              </FrameMenuContext>
            </main>
          </div>
          {isDrawerOpen && (
            <Suspense>
              <MobileDrawer onClose={() => setIsDrawerOpen(false)} />
            </Suspense>
          )}
        </div>
      </TooltipProvider>
    </FloatingLayer>
  )
}

function BudgetBanner() {
  const { user } = useSession()
  const [path] = useLocation()
  const isTold = useIsTold('budgets')
  const { data } = useQuery({ ...budgetQuery, enabled: user !== null })
  if (!user || !isTold || !data?.budget?.isNear || path.startsWith('/usage')) return null
  return (
    <aside aria-label="Budget">
      <BudgetWarning
        budget={data.budget}
        shape="bar"
        action={
          <Link href="/usage" className="font-medium underline underline-offset-3">
            Usage
          </Link>
        }
      />
    </aside>
  )
}

const READ_ONLY = {
  moving:
    'Catenary is being moved to another database. You can read everything, and you can save and run again in a few minutes.',
  moved:
    'Catenary has moved to another database, so this copy is read-only. Ask an administrator for the new address.',
}

/** Above every page, in one line: why nothing can be saved just now. */
export function ConnectionLine() {
  const isOnline = useOnline()
  const isAway = useServerAway()
  const readOnly = useInstance()?.readOnly
  if (!isOnline || isAway) return <Lost isOnline={isOnline} />
  if (!readOnly) return null
  return (
    <aside aria-label="Read only">
      <Banner shape="bar" variant="warn" icon={<DatabaseIcon />} className="max-md:px-4">
        <ByName text={READ_ONLY[readOnly]} />
      </Banner>
    </aside>
  )
}

function Lost({ isOnline }: { isOnline: boolean }) {
  const { refetch, isFetching } = useQuery({ ...sessionQuery, enabled: false })
  return (
    <aside aria-label="Connection">
      <Banner
        shape="bar"
        variant="warn"
        role="status"
        icon={<CloudOffIcon />}
        className="max-md:px-4"
        action={
          isOnline && (
            <Button
              variant="link"
              pending={isFetching}
              onClick={() => void refetch()}
              className="text-warn underline"
            >
              {isFetching ? 'Reconnecting…' : 'Try again'}
            </Button>
          )
        }
      >
        {isOnline
          ? 'Can’t reach the server'
          : 'You are offline. This page will continue when you are back online.'}
      </Banner>
    </aside>
  )
}
