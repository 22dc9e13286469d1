import { useSyncExternalStore } from 'react'

const STORAGE_KEY = 'catenary.time-zone'

const listeners = new Set<() => void>()
let chosen = storedZone()

export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

export function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

export function viewerTimeZone(): string {
  return chosen ?? browserTimeZone()
}

export function useTimeZone(): string {
  return useSyncExternalStore(subscribe, viewerTimeZone)
}

/** null: the browser's. Kept on this device for the next page load. */
export function setViewerTimeZone(zone: string | null): void {
  const next = zone !== null && isTimeZone(zone) ? zone : null
  if (next === chosen) return
  chosen = next
  try {
    if (next === null) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, next)
  } catch {}
  for (const listener of listeners) listener()
}

function storedZone(): string | null {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return stored !== null && isTimeZone(stored) ? stored : null
  } catch {
    return null
  }
}

/** The server may know zones that this browser doesn't. */
function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
