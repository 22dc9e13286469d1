import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { cn } from '../../lib/utils.ts'
import { useColumns } from './virtual-columns.ts'
import { useGridFocus } from './virtual-focus.ts'
import { useScrollMargin } from './virtual-margin.ts'
import { useNearEnd } from './virtual-near-end.ts'
import { useScrollMemory } from './virtual-scroll-memory.ts'

export interface VirtualGridProps<Item> {
  /** What the list is called for assistive technology. */
  label: string
  /** Identifies the list and its filters, to restore the scroll position. */
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
  /** Scrolls with the list, above it. */
  before?: ReactNode
  /** Scrolls with the list, below it. */
  after?: ReactNode
  /** Classes of the scroll container, which pads what is inside. */
  className?: string
  listClassName?: string
  /** Called while the last rows that are here are near. */
  onNearEnd?: (() => void) | undefined
}

/** Rows beyond the edges that are kept drawn. */
const OVERSCAN_ROWS = 2

/** A list or grid of any length that scrolls by itself and draws only what is near. */
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
}: VirtualGridProps<Item>) {
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
    // A frame may come before the rows that it needs are drawn: the overscan is there for that.
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
