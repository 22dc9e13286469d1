import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isFromHistory } from '../../lib/history-steps.ts'
import { cn } from '../../lib/utils.ts'
import { useAwaitedFocus } from './use-awaited-focus.ts'
import { useNearEnd } from './virtual-near-end.ts'
import { type GridSelection, useGridSelection } from './virtual-selection.ts'

const PLACES_KEPT = 50
const places = new Map<string, number>()

export interface VirtualGridProps<Item> {
  label: string
  name: string
  items: readonly Item[]
  getKey: (item: Item) => number
  /** The element to move to with the arrow keys carries `data-grid-focus`. */
  renderItem: (item: Item) => ReactNode
  /** Least widths of the container, in px, for two columns, three …; none for a plain list. */
  breakpoints?: readonly number[]
  /** Every row's height in px at the usual text size; it grows with the person's own. */
  rowHeight: number
  gap?: number
  before?: ReactNode
  after?: ReactNode
  className?: string
  listClassName?: string
  onNearEnd?: (() => void) | undefined
  /** Its items can be chosen. */
  selection?: GridSelection | undefined
}

const OVERSCAN_ROWS = 2

export function VirtualGrid<Item>({
  label,
  name,
  items,
  getKey,
  renderItem,
  breakpoints = [],
  rowHeight,
  gap = 0,
  before,
  after,
  className,
  listClassName,
  onNearEnd,
  selection,
}: VirtualGridProps<Item>) {
  const choosing = useGridSelection(selection)
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const scrollMargin = useScrollMargin({ scroller, before: head })
  const [focusedRow, setFocusedRow] = useState<number | null>(null)
  const [scale] = useState(textScale)
  const columns = useColumns({ element: scroller, breakpoints })
  const initialOffset = useScrollMemory({ name, scroller })
  const virtualizer = useVirtualizer({
    count: Math.ceil(items.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight * scale,
    // Positions are kept until the keys change, so rows of another height need other keys.
    getItemKey: useCallback((row: number) => `${rowHeight}:${row}`, [rowHeight]),
    gap,
    initialOffset,
    scrollMargin,
    overscan: OVERSCAN_ROWS,
    // A frame may be drawn before its rows: the overscan covers that.
    useFlushSync: false,
    // A focused row that scrolls away stays in the page, so the focus is not lost.
    rangeExtractor: useCallback((range: Range) => withRow({ range, row: focusedRow }), [focusedRow]),
  })
  const onKeyDown = useGridFocus({
    scroller,
    columns,
    count: items.length,
    scrollToRow: (row) => virtualizer.scrollToIndex(row),
  })

  useNearEnd({
    last: (virtualizer.getVirtualItems().at(-1)?.index ?? 0) * columns,
    count: items.length,
    onNearEnd,
  })

  const cells = virtualizer
    .getVirtualItems()
    .flatMap(({ index: row, start, size }) =>
      items
        .slice(row * columns, (row + 1) * columns)
        .map((item, column) => ({ item, row, column, start, size })),
    )

  return (
    <div ref={scroller} className={cn('min-h-0 flex-1 overflow-y-auto overscroll-contain', className)}>
      {before && <div ref={head}>{before}</div>}
      <ul
        {...choosing}
        aria-label={label}
        onKeyDown={onKeyDown}
        onFocus={(event) => setFocusedRow(rowOf(event.target))}
        onBlur={() => setFocusedRow(null)}
        className={cn('relative', listClassName)}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {cells.map(({ item, row, column, start, size }) => (
          <li
            key={getKey(item)}
            aria-setsize={items.length}
            aria-posinset={row * columns + column + 1}
            data-grid-row={row}
            data-grid-index={row * columns + column}
            className="absolute top-0 grid min-w-0"
            style={{
              height: size,
              width: `calc((100% - ${gap * (columns - 1)}px) / ${columns})`,
              left: `calc((100% + ${gap}px) / ${columns} * ${column})`,
              transform: `translateY(${start - scrollMargin}px)`,
            }}
          >
            {renderItem(item)}
          </li>
        ))}
      </ul>
      {after}
    </div>
  )
}

/** The person's text size, of the usual 16 px. */
function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1
}

function rowOf(element: Element): number | null {
  const row = element.closest<HTMLElement>('[data-grid-row]')?.dataset.gridRow
  return row === undefined ? null : Number(row)
}

function withRow({ range, row }: { range: Range; row: number | null }): number[] {
  const rows = defaultRangeExtractor(range)
  if (row === null || row >= range.count || rows.includes(row)) return rows
  return [...rows, row].sort((left, right) => left - right)
}

function useColumns({
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

function useScrollMargin({
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

function useScrollMemory({
  name,
  scroller,
}: {
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

interface GridFocusOptions {
  scroller: RefObject<HTMLElement | null>
  columns: number
  count: number
  scrollToRow: (row: number) => void
}

function useGridFocus({ scroller, columns, count, scrollToRow }: GridFocusOptions) {
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
