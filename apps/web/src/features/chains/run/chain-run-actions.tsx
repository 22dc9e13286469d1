import type { Chain } from '@catenary/contracts'
import { HistoryIcon, PlayIcon, PlusIcon, SquareIcon } from 'lucide-react'
import { ShortcutKeys } from '../../../components/shortcut-keys.tsx'
import { Button, type ButtonProps } from '../../../components/ui/button.tsx'
import { Hint } from '../../../components/ui/tooltip.tsx'
import { PHONE, useMediaQuery } from '../../../lib/appearance/media-query.ts'
import { useAriaKeys } from '../../../lib/keyboard/shortcuts.ts'
import { useShortcut } from '../../../lib/keyboard/use-shortcut.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { ScheduleLinks } from '../../schedules/schedule-links.tsx'
import { scheduledOf } from '../releases-of.ts'
import type { RunsInAddress } from './history/use-runs-in-address.ts'
import { type ChainRunning, isBusy } from './use-chain-run.ts'

export interface ChainRunActionsProps {
  chain: Chain
  running: ChainRunning
  address: RunsInAddress
  /** What a schedule that is made now begins with. */
  scheduledInput: string
  onAddStep: (() => void) | undefined
  onExecute: () => void
}

const TEXTS = {
  idle: 'Execute Chain',
  starting: 'Starting execution...',
  executing: 'Execution in progress...',
  waiting: 'Execute Chain',
}

export function ChainRunActions({
  chain,
  running,
  address,
  scheduledInput,
  onAddStep,
  onExecute,
}: ChainRunActionsProps) {
  const { user } = useSession()
  const isPhone = useMediaQuery(PHONE)
  const { phase } = running
  const obstacle = obstacleOf({ chain, isGuest: user === null })
  const isStarted = isBusy(running)
  const execute = () => {
    if (!isStarted && obstacle === null) onExecute()
  }
  useShortcut({ id: 'submit', onPress: execute })
  const button = (
    <Button
      pending={isStarted}
      aria-disabled={obstacle !== null || undefined}
      onClick={execute}
      className="max-md:min-w-0 max-md:flex-1 max-md:px-2 max-md:leading-tight max-md:whitespace-normal"
    >
      {!isStarted && <PlayIcon />}
      {TEXTS[phase]}
      {!isStarted && <ShortcutKeys id="submit" className="max-[1440px]:hidden" />}
    </Button>
  )
  return (
    <>
      {!isPhone && onAddStep && <AddStepButton onClick={onAddStep} />}
      {user && <HistoryButton address={address} />}
      {user && (
        <ScheduleLinks
          chain={{ id: chain.id, canExecute: chain.canExecute, ...scheduledOf(chain) }}
          input={scheduledInput}
        />
      )}
      {isPhone && <StopButton running={running} />}
      {obstacle === null ? button : <Hint text={obstacle}>{button}</Hint>}
    </>
  )
}

export function AddStepButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      variant="secondary"
      aria-keyshortcuts={useAriaKeys('create')}
      onClick={onClick}
      className="xl:max-[1440px]:px-2"
    >
      <PlusIcon className="xl:max-[1440px]:hidden" />
      Add Step
    </Button>
  )
}

export function StopButton({
  running: { run, phase, stop, isStopping },
  ...button
}: { running: ChainRunning } & Pick<ButtonProps, 'size'>) {
  if ((phase !== 'executing' && phase !== 'waiting') || !run?.canStop) return null
  return (
    <Button variant="secondary" pending={isStopping} aria-label="Stop" onClick={stop} {...button}>
      {!isStopping && <SquareIcon />}
      Stop
    </Button>
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
      className="aria-expanded:bg-hover max-md:size-11 max-md:px-0 max-[1440px]:px-2"
    >
      <HistoryIcon className="xl:max-[1440px]:hidden" />
      <span className="max-xl:hidden">{label}</span>
    </Button>
  )
}

function obstacleOf({ chain, isGuest }: { chain: Chain; isGuest: boolean }): string | null {
  if (isGuest) return 'Log in to execute this chain'
  if (!chain.canExecute) return "You don't have permission to execute this chain"
  return chain.steps.length === 0 ? 'Add a step first' : null
}
