import type { ModelAlias } from '@catenary/contracts'
import { CircleAlertIcon, PlayIcon, SquareIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import { cn } from '../../lib/utils.ts'
import { ModelSelect } from './targets/model-select.tsx'
import type { ExecuteState } from './use-execute.ts'

interface Runnable
  extends Pick<ExecuteState, 'count' | 'isRunning' | 'obstacle' | 'missing' | 'execute' | 'stop'> {
  view: { model: ModelAlias }
  changeView: (change: { model: ModelAlias }) => void
}

export function ActionBar({ state }: { state: Runnable }) {
  const { view, changeView, count, isRunning, obstacle, missing, execute, stop } = state
  const running = count === 1 ? 'Executing...' : `Executing ${count}…`
  const { executeButton, stopButton } = useFollowingFocus(isRunning)
  return (
    <div className="shrink-0 border-t border-line bg-surface">
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
        {count === 1 && (
          <ModelSelect
            value={view.model}
            onChange={(model) => changeView({ model })}
            className="max-w-48 max-md:max-w-none max-md:flex-1"
          />
        )}
        <div className={cn('ml-auto flex gap-2.5 max-md:ml-0', count > 1 && 'max-md:grow max-md:*:grow')}>
          <Button
            ref={executeButton}
            data-first-focus
            pending={isRunning}
            disabled={obstacle !== null}
            aria-describedby={obstacle ? 'execute-obstacle' : undefined}
            onClick={execute}
            className={isRunning ? 'max-md:hidden' : 'max-w-72 max-md:max-w-52 max-md:min-w-32'}
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
          {isRunning && (
            <Button ref={stopButton} variant="secondary" onClick={() => stop()} className="max-md:min-w-28">
              <SquareIcon />
              Stop
              <ShortcutKeys id="stop" />
            </Button>
          )}
        </div>
      </div>
    </div>
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
function useFollowingFocus(isRunning: boolean) {
  const executeButton = useRef<HTMLButtonElement>(null)
  const stopButton = useRef<HTMLButtonElement>(null)
  const wasRunning = useRef(false)
  useEffect(() => {
    // A button that was disabled or taken away leaves the focus on the body.
    const isLost =
      document.activeElement === document.body || document.activeElement === executeButton.current
    if (isRunning && isLost) stopButton.current?.focus({ preventScroll: true })
    if (!isRunning && wasRunning.current && isLost) executeButton.current?.focus({ preventScroll: true })
    wasRunning.current = isRunning
  }, [isRunning])
  return { executeButton, stopButton }
}
