import { useSyncExternalStore } from 'react'

export const PHONE = '(max-width: 767px)'
export const NARROW = '(width < 80rem)'
export const COMPACT = `${PHONE}, (pointer: coarse)`

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = globalThis.matchMedia?.(query)
      list?.addEventListener('change', listener)
      return () => list?.removeEventListener('change', listener)
    },
    () => globalThis.matchMedia?.(query).matches ?? false,
  )
}
