import { HistoryIcon, PlayIcon, SquareIcon } from 'lucide-react'
import { ShortcutKeys } from '../../../components/shortcut-keys.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Hint } from '../../../components/ui/tooltip.tsx'
import { useShortcut } from '../../../lib/use-shortcut.ts'
import type { ChainRunning } from './use-chain-run.ts'

export interface ChainRunActionsProps {
  running: ChainRunning
  /** Why the chain can't be run now; null when it can. */
  obstacle: string | null
  isHistoryOpen: boolean
  /** Absent for who has no history. */
  onToggleHistory: (() => void) | undefined
  onExecute: () => void
}

const TEXTS = {
  idle: 'Execute Chain',
  starting: 'Starting execution...',
  executing: 'Execution in progress...',
}

/** Runs the chain, stops it, and shows what it did before. */
export function ChainRunActions({ running, obstacle, onExecute, ...history }: ChainRunActionsProps) {
  const { phase, stop, isStopping } = running
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
      {history.onToggleHistory && <HistoryButton {...history} />}
      {phase === 'executing' && (
        <Button variant="secondary" pending={isStopping} onClick={stop}>
          {!isStopping && <SquareIcon />}
          Stop
        </Button>
      )}
      {obstacle === null ? button : <Hint text={obstacle}>{button}</Hint>}
    </>
  )
}

function HistoryButton({
  isHistoryOpen,
  onToggleHistory,
}: Pick<ChainRunActionsProps, 'isHistoryOpen' | 'onToggleHistory'>) {
  const label = isHistoryOpen ? 'Hide Execution History' : 'Show Execution History'
  return (
    <Button
      variant="ghost"
      aria-label={label}
      title={label}
      aria-expanded={isHistoryOpen}
      onClick={onToggleHistory}
      className="aria-expanded:bg-hover max-md:size-11 max-md:px-0 max-lg:px-2"
    >
      <HistoryIcon />
      <span className="max-lg:hidden">{label}</span>
    </Button>
  )
}
