import { useSyncExternalStore } from 'react'
import { useMediaQuery } from './media-query.ts'

const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

const STORAGE_KEY = 'catenary.density'
const listeners = new Set<() => void>()

export function useDensity(): [Density, (density: Density) => void] {
  return [useSyncExternalStore(subscribe, storedDensity), chooseDensity]
}

/** On touch the spacing is never compact. */
export function useShownDensity(): Density {
  const [density] = useDensity()
  return useMediaQuery('(pointer: coarse)') ? 'comfortable' : density
}

export function followDensity(): void {
  window.addEventListener('storage', (event) => event.key === STORAGE_KEY && applyDensity())
  applyDensity()
}

function chooseDensity(density: Density): void {
  try {
    localStorage.setItem(STORAGE_KEY, density)
  } catch {}
  applyDensity()
}

function storedDensity(): Density {
  let stored: string | null = null
  try {
    stored = localStorage.getItem(STORAGE_KEY)
  } catch {}
  return DENSITIES.find((density) => density === stored) ?? 'comfortable'
}

function applyDensity(): void {
  document.documentElement.dataset.density = storedDensity()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
