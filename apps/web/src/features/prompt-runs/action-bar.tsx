import type { ModelAlias } from '@catenary/contracts'
import { CircleAlertIcon, PlayIcon, SquareIcon } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import { cn } from '../../lib/utils.ts'
import { ModelSelect } from './targets/model-select.tsx'
import type { ExecuteState } from './use-execute.ts'

interface Runnable extends Pick<ExecuteState, 'count' | 'isRunning' | 'obstacle' | 'missing' | 'execute'> {
  view: { model: ModelAlias }
  changeView: (change: { model: ModelAlias }) => void
}

export interface ActionBarProps {
  state: Runnable
  hasValues: boolean
  /** Where the answer is out of view, or is several: elsewhere Stop stands with the answer. */
  onStop: (() => void) | undefined
  compareWith?: ReactNode
}

export function ActionBar({ state, hasValues, onStop, compareWith }: ActionBarProps) {
  const { view, changeView, count, isRunning, obstacle, missing, execute } = state
  const running = count === 1 ? 'Executing...' : `Executing ${count}…`
  const bar = useRef<HTMLDivElement>(null)
  useFollowingFocus({ bar, isRunning })
  const isCompact = isRunning && onStop !== undefined
  return (
    <div ref={bar} className="@container shrink-0 border-t border-line bg-surface">
      {obstacle && (
        <p id="execute-obstacle" className="flex gap-1.5 px-6 pt-2.5 text-sm text-warn max-md:px-3.5">
          <CircleAlertIcon className="mt-[3px] size-3.5 shrink-0" />
          {obstacle}
        </p>
      )}
      {view.model === 'openai' && !obstacle && (
        <p className="px-6 pt-2.5 text-xs text-text-3 max-md:px-3.5">
          OpenAI access may be limited by quota; Claude is recommended.
        </p>
      )}
      <div className="flex min-h-14 items-center gap-2.5 px-6 py-2.5 max-md:px-3.5">
        {hasValues && (
          <p className="mr-auto hidden items-center gap-1.5 text-xs whitespace-nowrap text-text-3 @min-[610px]:flex pointer-coarse:hidden">
            <ShortcutKeys id="next" /> next value
          </p>
        )}
        {count === 1 && (
          <div className="flex min-w-0 @min-[610px]:ml-auto max-md:flex-1">
            <ModelSelect
              value={view.model}
              onChange={(model) => changeView({ model })}
              className={cn('max-w-48 max-md:max-w-none max-md:flex-1', compareWith && 'rounded-r-none')}
            />
            {compareWith}
          </div>
        )}
        <div
          className={cn(
            'ml-auto flex gap-2.5 @min-[610px]:ml-0 max-md:ml-0',
            count > 1 && 'max-md:grow max-md:*:grow',
          )}
        >
          <Button
            data-execute
            data-first-focus
            pending={isRunning}
            disabled={obstacle !== null}
            aria-describedby={obstacle ? 'execute-obstacle' : undefined}
            onClick={execute}
            className={isCompact ? 'max-md:hidden' : 'max-w-72 max-md:max-w-52 max-md:min-w-32'}
          >
            {isRunning ? (
              running
            ) : (
              <>
                <PlayIcon />
                <span className="truncate">{labelOf({ missing, count })}</span>
                <ShortcutKeys id="submit" />
              </>
            )}
          </Button>
          {isRunning && onStop && <StopButton size="md" onStop={onStop} />}
        </div>
      </div>
    </div>
  )
}

export function StopButton({ size, onStop }: { size: 'md' | 'sm'; onStop: () => void }) {
  return (
    <Button data-stop variant="secondary" size={size} onClick={() => onStop()} className="max-md:min-w-28">
      <SquareIcon />
      Stop
      <ShortcutKeys id="stop" />
    </Button>
  )
}

/** Longer names are counted, as the button has no room for them. */
const NAME_MAX = 20

function labelOf({ missing, count }: Pick<Runnable, 'missing' | 'count'>): string {
  const [first] = missing
  const execute = count === 1 ? 'Execute' : `Execute ${count}`
  if (first === undefined) return execute
  if (missing.length === 1 && first.length <= NAME_MAX) return `${execute} without ${first}`
  return `${execute} without ${missing.length} ${missing.length === 1 ? 'value' : 'values'}`
}

/** Execute and Stop replace each other, and keep the focus. */
function useFollowingFocus({ bar, isRunning }: { bar: { current: HTMLElement | null }; isRunning: boolean }) {
  const wasRunning = useRef(false)
  useEffect(() => {
    const find = (name: string) =>
      bar.current?.closest('[data-runs]')?.querySelector<HTMLElement>(`[${name}]`)
    const execute = find('data-execute')
    // A button that was disabled or taken away leaves the focus on the body.
    const isLost = document.activeElement === document.body || document.activeElement === execute
    if (isRunning && isLost) find('data-stop')?.focus({ preventScroll: true })
    if (!isRunning && wasRunning.current && isLost) execute?.focus({ preventScroll: true })
    wasRunning.current = isRunning
  }, [bar, isRunning])
}
