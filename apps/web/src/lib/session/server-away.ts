import { useSyncExternalStore } from 'react'

let isAway = false
const listeners = new Set<() => void>()

export function noteServer(answered: boolean): void {
  if (isAway === !answered) return
  isAway = !answered
  for (const listener of listeners) listener()
}

export function useServerAway(): boolean {
  return useSyncExternalStore(subscribe, () => isAway)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
