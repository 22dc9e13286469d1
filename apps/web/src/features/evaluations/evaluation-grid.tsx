import type { Evaluation } from '@catenary/contracts'
import type { TargetSummary } from '@catenary/domain'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, useCallback, useRef, useState } from 'react'
import { cn } from '../../lib/utils.ts'
import { EvaluationRowView } from './evaluation-row.tsx'
import type { EvaluationRow } from './evaluation-rows.ts'
import { TargetHead } from './target-head.tsx'
import { type CellPlace, useCellFocus } from './use-cell-focus.ts'

const ROW_HEIGHT = 60
const OVERSCAN_ROWS = 6

interface EvaluationGridProps {
  evaluation: Evaluation
  rows: readonly EvaluationRow[]
  summaries: readonly TargetSummary[]
  names: readonly string[]
  baseline: number
  onBaseline: (position: number) => void
  onOpen: (place: CellPlace) => void
  corner: ReactNode
  empty: ReactNode
}

export function EvaluationGrid({
  evaluation: { targets },
  rows,
  summaries,
  names,
  baseline,
  corner,
  empty,
  onBaseline,
  onOpen,
}: EvaluationGridProps) {
  const scroller = useRef<HTMLElement>(null)
  const [focusedRow, setFocusedRow] = useState<number | null>(null)
  const [scale] = useState(textScale)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT * scale,
    overscan: OVERSCAN_ROWS,
    useFlushSync: false,
    // A focused row that scrolls away stays in the page, so the focus is not lost.
    rangeExtractor: useCallback((range: Range) => withRow(range, focusedRow), [focusedRow]),
  })
  const { current, onKeyDown } = useCellFocus({
    scroller,
    rows: rows.length,
    columns: targets.length,
    scrollToRow: (row) => virtualizer.scrollToIndex(row),
  })
  const drawn = virtualizer.getVirtualItems()
  const endOf = (index: number) => drawn[index]?.end ?? 0
  return (
    <section
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keys
      tabIndex={0}
      aria-label="Tests and targets"
      className="min-h-0 overflow-auto @container overscroll-contain rounded-card border border-line bg-surface [--column:13.5rem] [--first:16rem] max-md:[--column:12.5rem] max-md:[--first:9.5rem]"
    >
      <table
        aria-rowcount={rows.length + 1}
        onKeyDown={onKeyDown}
        onFocus={(event) => setFocusedRow(rowOf(event.target))}
        onBlur={() => setFocusedRow(null)}
        className="w-full table-fixed border-separate border-spacing-0"
        style={{ minWidth: `calc(var(--first) + ${targets.length} * var(--column))` }}
      >
        <thead className="sticky top-0 z-20">
          <tr aria-rowindex={1}>
            <td
              style={{
                width: `max(var(--first), (100cqw + var(--first) - ${targets.length} * var(--column)) / 2)`,
              }}
              className="sticky left-0 z-10 border-b border-line bg-surface px-3.5 py-2.5 align-top"
            >
              <div className="max-w-[calc(var(--first)-1.75rem)]">{corner}</div>
            </td>
            {targets.map((target, position) => (
              <th
                key={target.position}
                scope="col"
                className="h-px border-b border-l border-line bg-surface p-0 text-left align-top font-normal"
              >
                <div className={cn('h-full', position === baseline ? 'bg-accent-soft/45' : 'bg-inset')}>
                  <TargetHead
                    target={target}
                    name={names[position] ?? ''}
                    summary={summaries[position] as TargetSummary}
                    isBaseline={position === baseline}
                    onPin={onBaseline}
                  />
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map(({ index, start, size }, place) => (
            <Fragment key={rows[index]?.test.position}>
              <Gap height={start - endOf(place - 1)} />
              <EvaluationRowView
                row={rows[index] as EvaluationRow}
                index={index}
                height={size}
                names={names}
                baseline={baseline}
                baselineVersion={targets[baseline]?.version ?? 0}
                current={tabStopOf(index, current)}
                onOpen={onOpen}
              />
            </Fragment>
          ))}
          <Gap height={virtualizer.getTotalSize() - endOf(drawn.length - 1)} />
        </tbody>
      </table>
      {rows.length === 0 && empty}
    </section>
  )
}

function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr>
      <td style={{ height }} className="p-0" />
    </tr>
  )
}

/** The column of a row that the Tab key comes to: where the arrow keys were last, else the first cell of all. */
function tabStopOf(row: number, current: CellPlace | null): number | null {
  if (current === null) return row === 0 ? 0 : null
  return current.row === row ? current.column : null
}

/** The person's text size, of the usual 16 px. */
function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1
}

function rowOf(element: Element): number | null {
  const row = element.closest<HTMLElement>('[data-row]')?.dataset.row
  return row === undefined ? null : Number(row)
}

function withRow(range: Range, row: number | null): number[] {
  const rows = defaultRangeExtractor(range)
  if (row === null || row >= range.count || rows.includes(row)) return rows
  return [...rows, row].sort((left, right) => left - right)
}
