import { BrandMark } from '../../components/brand.tsx'
import { ChecksPanel } from './checks-panel.tsx'
import { LogPanel } from './log-panel.tsx'
import { SchedulerPanel } from './scheduler-panel.tsx'

export function TestDashboard() {
  return (
    <div className="min-h-dvh">
      <header className="sticky top-0 z-10 flex h-14 items-center gap-2.5 border-b border-line bg-surface px-6 max-md:px-4">
        <BrandMark />
        <h1 className="text-lg font-semibold">Test Dashboard</h1>
        <a
          href="/"
          className="ml-auto flex h-8 items-center text-sm text-accent-text underline-offset-3 hover:underline pointer-coarse:h-11"
        >
          Open Catenary
        </a>
      </header>
      <main className="mx-auto grid max-w-[960px] gap-10 px-6 py-6 max-md:px-4">
        <ChecksPanel />
        <SchedulerPanel />
        <LogPanel />
      </main>
    </div>
  )
}
