import type { Chain, SeenChainRun } from '@catenary/contracts'
import { CalendarClockIcon, PlayIcon } from 'lucide-react'

import { DialogSuspense } from '../../../components/dialog-suspense.tsx'
import { PanelBoundary } from '../../../components/panel-boundary.tsx'
import { part } from '../../../components/part.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { useSession } from '../../../lib/session/session.tsx'
import { RunVisibilityNote } from '../../runs/run-visibility-note.tsx'
import { ChainRunCard } from './chain-run-card.tsx'
import { ChainHistory } from './history/chain-history.tsx'
import { ChainRecentRuns } from './history/chain-recent-runs.tsx'
import type { RunsInAddress } from './history/use-runs-in-address.ts'
import type { ChainRunning } from './use-chain-run.ts'
import type { RunRequest } from './use-run-request.tsx'

const ChainComparison = part(() => import('./history/chain-comparison.tsx'))

/** Keeps the place of the first run, so that nothing moves when it begins. */
function NoRuns() {
  return (
    <p className="grid justify-items-center gap-2 rounded-card border border-dashed border-line px-6 py-8 text-center text-sm text-text-3">
      <PlayIcon className="size-5" />
      No runs yet. Progress and results appear here.
    </p>
  )
}

function OfferedRun({ run, onShow }: { run: SeenChainRun; onShow: () => void }) {
  return (
    <Banner
      variant="accent"
      role="status"
      icon={<CalendarClockIcon />}
      action={
        <Button variant="secondary" size="sm" onClick={onShow}>
          Show
        </Button>
      }
    >
      {run.trigger === 'schedule' ? 'A scheduled run started' : 'Another run started'}
    </Banner>
  )
}

export interface ChainRunAsideProps {
  chain: Chain
  running: ChainRunning
  address: RunsInAddress
  request: Pick<RunRequest, 'ask' | 'askFrom'>
}

export function ChainRunAside({ chain, running, address, request }: ChainRunAsideProps) {
  const { user } = useSession()
  const { run } = running
  const [first, second] = address.compared
  if (!user) return null
  return (
    <>
      {(chain.steps.length > 0 || address.isHistoryOpen) && (
        <aside
          aria-label="Runs"
          className="grid shrink-0 content-start gap-4 border-line bg-bg p-4 max-xl:grow max-xl:border-t max-md:px-3.5 xl:w-[360px] xl:has-data-wide:w-[480px] xl:overflow-y-auto xl:border-l"
        >
          {running.offered && <OfferedRun run={running.offered} onShow={running.showOffered} />}
          {run && (
            <ChainRunCard
              run={run}
              running={running}
              onRunAgain={chain.canExecute ? request.ask : undefined}
            />
          )}
          {running.hasNone && !run && !address.isHistoryOpen && <NoRuns />}
          {!address.isHistoryOpen && <ChainRecentRuns chainId={chain.id} shown={run?.id ?? null} />}
          {address.isHistoryOpen && (
            <PanelBoundary title="The history">
              <ChainHistory
                chain={chain}
                running={running}
                compared={first ?? null}
                onCompare={(id) => address.compare(id === null ? [] : [...address.compared, id])}
                onRunAgain={request.ask}
                onRunFrom={request.askFrom}
              />
            </PanelBoundary>
          )}
          <RunVisibilityNote chain={chain} />
        </aside>
      )}
      {first !== undefined && second !== undefined && (
        <DialogSuspense>
          <ChainComparison chainId={chain.id} ids={[first, second]} onClose={() => address.compare([])} />
        </DialogSuspense>
      )}
    </>
  )
}
