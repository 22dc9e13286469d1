import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'

export interface GridFocusOptions {
  scroller: RefObject<HTMLElement | null>
  columns: number
  count: number
  scrollToRow: (row: number) => void
}

export function useGridFocus({ scroller, columns, count, scrollToRow }: GridFocusOptions) {
  const [wanted, setWanted] = useState<number | null>(null)

  // The wanted item may be drawn only after the scroll.
  useEffect(() => {
    if (wanted === null) return
    let frame = 0
    let framesLeft = 30
    const focus = () => {
      const target = scroller.current?.querySelector<HTMLElement>(
        `[data-grid-index="${wanted}"] [data-grid-focus]`,
      )
      framesLeft -= 1
      if (!target && framesLeft > 0) frame = requestAnimationFrame(focus)
      else {
        target?.focus({ preventScroll: true })
        setWanted(null)
      }
    }
    focus()
    return () => cancelAnimationFrame(frame)
  }, [wanted, scroller])

  return (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target instanceof HTMLElement ? event.target : null
    if (!target || !('gridFocus' in target.dataset) || event.ctrlKey || event.metaKey || event.altKey) return
    const current = Number(target.closest<HTMLElement>('[data-grid-index]')?.dataset.gridIndex)
    const next = nextIndex({ key: event.key, current, columns, count })
    if (next === null) return
    event.preventDefault()
    scrollToRow(Math.floor(next / columns))
    setWanted(next)
  }
}

function nextIndex({
  key,
  current,
  columns,
  count,
}: {
  key: string
  current: number
  columns: number
  count: number
}): number | null {
  const targets: Record<string, number> = {
    ArrowRight: current + 1,
    ArrowLeft: current - 1,
    ArrowDown: current + columns,
    ArrowUp: current - columns,
    Home: 0,
    End: count - 1,
  }
  const next = targets[key]
  return next === undefined || next < 0 || next >= count ? null : next
}
