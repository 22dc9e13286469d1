import { MenuIcon } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { BrandMark } from '../../components/brand.tsx'
import { FrameMenuContext, FrameStripContext } from '../../components/frame-menu.tsx'
import { part } from '../../components/part.tsx'
import { Button } from '../../components/ui/button.tsx'
import { FloatingLayer } from '../../components/ui/internal/floating-layer.ts'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { useFollowedTimeZone } from '../../features/accounts/use-account-time-zone.ts'
import { AdminBanner } from '../../features/admin/admin-banner.tsx'
import { useAppDialogs } from '../dialogs/app-dialogs.ts'
import { AwayBanner } from './away-banner.tsx'
import { BudgetBanner } from './budget-banner.tsx'
import { FirstSteps } from './first-steps.tsx'
import { ReadOnlyBanner } from './read-only-banner.tsx'
import { SandboxBanner } from './sandbox-banner.tsx'
import { Sidebar } from './sidebar.tsx'

const MobileDrawer = part(() => import('./mobile-drawer.tsx'))

/** What stays around every page: sidebar, drawer on phones, standing banner. */
export default function Frame({ children }: { children: ReactNode }) {
  useFollowedTimeZone()
  const [main, setMain] = useState<HTMLElement | null>(null)
  const { open } = useAppDialogs()
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
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
      <BrandMark className="mr-0.5 ml-0.5 size-[22px]" />
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
              <AwayBanner />
              <ReadOnlyBanner />
              <AdminBanner onOpenBackups={() => open('backups')} />
              <SandboxBanner />
              <BudgetBanner />
            </div>
            <main ref={setMain} id="page" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
              <FrameMenuContext value={menu}>
                <FrameStripContext value={<FirstSteps />}>{children}</FrameStripContext>
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
