import type { Evaluation, EvaluationTarget } from '@catenary/contracts'
import type { TargetSummary } from '@catenary/domain'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, Fragment, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { cn } from '../../lib/utils.ts'
import { EvaluationRowView, PINNED } from './evaluation-row.tsx'
import type { EvaluationRow } from './evaluation-rows.ts'
import { TargetHead } from './target-head.tsx'
import { type CellPlace, useCellFocus } from './use-cell-focus.ts'

const ROW_HEIGHT = 46
const FAILED_ROW_HEIGHT = 56
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
    estimateSize: (index) => (rows[index]?.failures ? FAILED_ROW_HEIGHT : ROW_HEIGHT) * scale,
    getItemKey: (index) => rows[index]?.test.position ?? index,
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
  const order = useMemo(() => pinnedFirst(targets.length, baseline), [targets.length, baseline])
  const drawn = virtualizer.getVirtualItems()
  const endOf = (index: number) => drawn[index]?.end ?? 0
  return (
    <section
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keys
      tabIndex={0}
      aria-label="Tests and targets"
      className="min-h-0 overflow-auto @container overscroll-contain rounded-card border border-line bg-surface [--column:11.75rem] [--first:12.25rem] [--wide:13.75rem] max-md:[--column:12.5rem] max-md:[--first:9.5rem] max-md:[--wide:12.5rem]"
    >
      <table
        aria-rowcount={rows.length + 1}
        onKeyDown={onKeyDown}
        onFocus={(event) => setFocusedRow(rowOf(event.target))}
        onBlur={() => setFocusedRow(null)}
        className="w-full table-fixed border-separate border-spacing-0"
        style={
          {
            minWidth: `calc(var(--first) + ${targets.length} * var(--column))`,
            '--lead': `max(var(--first), (100cqw + var(--first) - ${targets.length} * var(--wide)) / 2)`,
          } as CSSProperties
        }
      >
        <thead className="sticky top-0 z-20">
          <tr aria-rowindex={1}>
            <td className="sticky left-0 z-20 w-(--lead) border-b border-line bg-surface p-0 align-top">
              {corner}
            </td>
            {order.map((position) => (
              <th
                key={position}
                scope="col"
                className={cn(
                  'h-px border-b border-l border-line bg-surface p-0 text-left align-top font-normal',
                  position === baseline && PINNED,
                )}
              >
                <div className={cn('h-full', position === baseline ? 'bg-accent-soft/45' : 'bg-inset')}>
                  <TargetHead
                    target={targets[position] as EvaluationTarget}
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
                order={order}
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

function pinnedFirst(count: number, baseline: number): number[] {
  const others = Array.from({ length: count }, (_, position) => position).filter((one) => one !== baseline)
  return [baseline, ...others]
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
