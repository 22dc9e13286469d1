import { useSyncExternalStore } from 'react'

const STORAGE_KEY = 'catenary.single-keys'
const listeners = new Set<() => void>()

export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, areSingleKeysOn), turnSingleKeys]
}

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return true
  }
}

function turnSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, 'off')
  } catch {}
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
