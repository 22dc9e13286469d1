import { type RefObject, useLayoutEffect, useState } from 'react'
import { isFromHistory } from '../../lib/history-steps.ts'

const PLACES_KEPT = 50

/** Which list → how far it was scrolled when it was left. */
const places = new Map<string, number>()

/** Where a list begins: at its top, or after the browser's Back where it was left. */
export function useScrollMemory({
  name,
  scroller,
}: {
  /** Identifies the list and its filters. */
  name: string
  scroller: RefObject<HTMLElement | null>
}): number {
  const [first] = useState(() => (isFromHistory() ? (places.get(name) ?? 0) : 0))
  useLayoutEffect(() => {
    const element = scroller.current
    return () => {
      places.delete(name)
      if (element) places.set(name, element.scrollTop)
      if (places.size > PLACES_KEPT) places.delete(places.keys().next().value ?? '')
    }
  }, [name, scroller])
  return first
}
