import { useEffect, useEffectEvent } from 'react'
import { useHistoryState } from 'wouter/use-browser-location'

/** How the history marks a visit that runs the chain: with an address, any link could spend the person's money. */
export const RUN_CHAIN = { run: true }

export function useWantedRun(ask: () => void): void {
  const isWanted = isRunChain(useHistoryState<unknown>())
  const run = useEffectEvent(() => {
    // Coming back or reloading the page does not ask for another run.
    history.replaceState(null, '')
    ask()
  })
  useEffect(() => {
    if (isWanted) run()
  }, [isWanted])
}

function isRunChain(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'run' in state && state.run === true
}
