import { type RefObject, useLayoutEffect, useState } from 'react'

/** How many columns fit the element, kept current: one more for each breakpoint that its width reaches. */
export function useColumns({
  element,
  breakpoints,
}: {
  element: RefObject<HTMLElement | null>
  breakpoints: readonly number[]
}): number {
  const [columns, setColumns] = useState(1)
  useLayoutEffect(() => {
    const target = element.current
    if (!target || breakpoints.length === 0) return setColumns(1)
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(target)
      const width = target.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      setColumns(1 + breakpoints.filter((least) => width >= least).length)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    return () => observer.disconnect()
  }, [element, breakpoints])
  return columns
}
