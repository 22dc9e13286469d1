import { type KeyboardEvent, type RefObject, useState } from 'react'
import { useAwaitedFocus } from '../../components/virtual/use-awaited-focus.ts'

export interface CellPlace {
  row: number
  column: number
}

interface CellFocusOptions {
  scroller: RefObject<HTMLElement | null>
  rows: number
  columns: number
  scrollToRow: (row: number) => void
}

export function useCellFocus({ scroller, rows, columns, scrollToRow }: CellFocusOptions) {
  const [current, setCurrent] = useState<CellPlace | null>(null)
  const focus = useAwaitedFocus({ scroller, isShownWhole: true })

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target instanceof HTMLElement ? event.target : null
    const [row, column] = (target?.dataset.cell ?? '').split(':').map(Number)
    if (row === undefined || column === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const next = nextPlace(event.key, { row, column })
    if (next === undefined || next.row < 0 || next.row >= rows || next.column < 0 || next.column >= columns)
      return
    event.preventDefault()
    if (next.row !== row) scrollToRow(next.row)
    setCurrent(next)
    focus(`[data-cell="${next.row}:${next.column}"]`)
  }

  const nextPlace = (key: string, { row, column }: CellPlace): CellPlace | undefined => {
    const places: Record<string, CellPlace> = {
      ArrowRight: { row, column: column + 1 },
      ArrowLeft: { row, column: column - 1 },
      ArrowDown: { row: row + 1, column },
      ArrowUp: { row: row - 1, column },
      Home: { row: 0, column },
      End: { row: rows - 1, column },
    }
    return places[key]
  }

  const isThere = current !== null && current.row < rows && current.column < columns
  return { current: isThere ? current : null, onKeyDown }
}
