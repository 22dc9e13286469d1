import { type RefObject, useLayoutEffect, useState } from 'react'

/** How far below the scroller's top the list begins: its padding and the height of what stands before it, kept current. */
export function useScrollMargin({
  scroller,
  before,
}: {
  scroller: RefObject<HTMLElement | null>
  before: RefObject<HTMLElement | null>
}): number {
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const element = before.current
    if (!element || !scroller.current) return
    const padding = Number.parseFloat(getComputedStyle(scroller.current).paddingTop) || 0
    const measure = () => setMargin(padding + element.offsetHeight)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, before])
  return margin
}
