import type { KeyboardEvent, RefObject } from 'react'
import { useAwaitedFocus } from './use-awaited-focus.ts'

export interface GridFocusOptions {
  scroller: RefObject<HTMLElement | null>
  columns: number
  count: number
  scrollToRow: (row: number) => void
}

export function useGridFocus({ scroller, columns, count, scrollToRow }: GridFocusOptions) {
  const focus = useAwaitedFocus({ scroller })
  return (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target instanceof HTMLElement ? event.target : null
    if (!target || !('gridFocus' in target.dataset) || event.ctrlKey || event.metaKey || event.altKey) return
    const current = Number(target.closest<HTMLElement>('[data-grid-index]')?.dataset.gridIndex)
    const next = nextIndex({ key: event.key, current, columns, count })
    if (next === null) return
    event.preventDefault()
    scrollToRow(Math.floor(next / columns))
    focus(`[data-grid-index="${next}"] [data-grid-focus]`)
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
