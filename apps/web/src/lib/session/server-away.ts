import { useSyncExternalStore } from 'react'

let isAway = false
const listeners = new Set<() => void>()

/** Notes whether the last call for the session was answered, by whatever answer. */
export function noteServer(answered: boolean): void {
  if (isAway === !answered) return
  isAway = !answered
  for (const listener of listeners) listener()
}

/** Whether the last call for the session came to nothing: who uses the page is not known, or not anew. */
export function useServerAway(): boolean {
  return useSyncExternalStore(subscribe, () => isAway)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
