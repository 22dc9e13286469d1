import { useSyncExternalStore } from 'react'

export const PHONE = '(max-width: 767px)'
/** When nothing fits beside the page's main column. */
export const NARROW = '(width < 80rem)'
/** Phones and touch: menus instead of rows of small buttons. */
export const COMPACT = `${PHONE}, (pointer: coarse)`

/** Whether the query holds now, kept current; false where there is no screen. */
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
