import { useSyncExternalStore } from 'react'

let isAway = false
const listeners = new Set<() => void>()
const doubters = new Set<() => void>()

export function noteServer(answered: boolean): void {
  if (isAway === !answered) return
  isAway = !answered
  for (const listener of listeners) listener()
}

/** A call got no answer: whether others would is asked at once. */
export function doubtServer(): void {
  for (const ask of doubters) ask()
}

export function onDoubt(ask: () => void): () => void {
  doubters.add(ask)
  return () => doubters.delete(ask)
}

export function useServerAway(): boolean {
  return useSyncExternalStore(subscribe, () => isAway)
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
