import { useEffect, useEffectEvent } from 'react'
import { useHistoryState } from 'wouter/use-browser-location'

/** What the history says of a visit that is to run the chain: an address would let any link spend the person's money. */
export const RUN_CHAIN = { run: true }

/** Runs the chain once for who came to run it, as from the palette. */
export function useWantedRun(ask: () => void): void {
  const isWanted = isRunChain(useHistoryState<unknown>())
  const run = useEffectEvent(() => {
    // Coming back, or loading the page anew, is no other wish.
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
