import type { Chain } from '@catenary/contracts'
import { HistoryIcon, PlayIcon, SquareIcon } from 'lucide-react'
import { ShortcutKeys } from '../../../components/shortcut-keys.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Hint } from '../../../components/ui/tooltip.tsx'
import { useShortcut } from '../../../lib/keyboard/use-shortcut.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { ScheduleLinks } from '../../schedules/schedule-links.tsx'
import { scheduledOf } from '../releases-of.ts'
import type { RunsInAddress } from './history/use-runs-in-address.ts'
import type { ChainRunning } from './use-chain-run.ts'

export interface ChainRunActionsProps {
  chain: Chain
  running: ChainRunning
  address: RunsInAddress
  onExecute: () => void
}

const TEXTS = {
  idle: 'Execute Chain',
  starting: 'Starting execution...',
  executing: 'Execution in progress...',
}

export function ChainRunActions({ chain, running, address, onExecute }: ChainRunActionsProps) {
  const { user } = useSession()
  const { phase, stop, isStopping } = running
  const obstacle = obstacleOf({ chain, isGuest: user === null })
  const isBusy = phase !== 'idle'
  const execute = () => {
    if (!isBusy && obstacle === null) onExecute()
  }
  useShortcut({ id: 'submit', onPress: execute })
  const button = (
    <Button
      pending={isBusy}
      aria-disabled={obstacle !== null || undefined}
      onClick={execute}
      className="max-md:min-w-0 max-md:flex-1 max-md:px-2 max-md:leading-tight max-md:whitespace-normal"
    >
      {!isBusy && <PlayIcon />}
      {TEXTS[phase]}
      {!isBusy && <ShortcutKeys id="submit" className="max-lg:hidden" />}
    </Button>
  )
  return (
    <>
      {user && <HistoryButton address={address} />}
      {user && (
        <ScheduleLinks chain={{ id: chain.id, canExecute: chain.canExecute, ...scheduledOf(chain) }} />
      )}
      {phase === 'executing' && running.run?.canStop && (
        <Button variant="secondary" pending={isStopping} aria-label="Stop" onClick={stop}>
          {!isStopping && <SquareIcon />}
          <span className="max-[360px]:hidden">Stop</span>
        </Button>
      )}
      {obstacle === null ? button : <Hint text={obstacle}>{button}</Hint>}
    </>
  )
}

function HistoryButton({ address: { isHistoryOpen, showHistory } }: { address: RunsInAddress }) {
  const label = isHistoryOpen ? 'Hide Execution History' : 'Show Execution History'
  return (
    <Button
      variant="ghost"
      aria-label={label}
      title={label}
      aria-expanded={isHistoryOpen}
      onClick={() => showHistory(!isHistoryOpen)}
      className="aria-expanded:bg-hover max-md:size-11 max-md:px-0 max-xl:px-2"
    >
      <HistoryIcon />
      <span className="max-xl:hidden">{label}</span>
    </Button>
  )
}

function obstacleOf({ chain, isGuest }: { chain: Chain; isGuest: boolean }): string | null {
  if (isGuest) return 'Log in to execute this chain'
  if (!chain.canExecute) return "You don't have permission to execute this chain"
  return chain.steps.length === 0 ? 'Add a step first' : null
}
