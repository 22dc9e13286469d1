import { type RefObject, useLayoutEffect, useState } from 'react'

/** Before it is laid out. */
const UNKNOWN = 640

/** How wide the element is, as it changes. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(UNKNOWN)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => setWidth(current.clientWidth || UNKNOWN)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
