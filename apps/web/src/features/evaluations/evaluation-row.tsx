import { memo } from 'react'
import { cn } from '../../lib/utils.ts'
import { TagChip } from '../library/tags/tag-chip.tsx'
import { EvaluationCellView } from './evaluation-cell.tsx'
import type { EvaluationRow, RowCell } from './evaluation-rows.ts'
import type { CellPlace } from './use-cell-focus.ts'

/** Beside the names of the tests, whatever is scrolled. */
export const PINNED = 'md:sticky md:left-(--lead) md:z-10'

interface EvaluationRowProps {
  row: EvaluationRow
  index: number
  height: number
  names: readonly string[]
  /** The targets from left to right, by their positions. */
  order: readonly number[]
  baseline: number
  baselineVersion: number
  /** The column that the Tab key comes to; null: none of this row. */
  current: number | null
  onOpen: (place: CellPlace) => void
}

export const EvaluationRowView = memo(function EvaluationRowView({
  row: { test, cells },
  index,
  height,
  names,
  order,
  baseline,
  baselineVersion,
  current,
  onOpen,
}: EvaluationRowProps) {
  return (
    <tr aria-rowindex={index + 2} data-row={index}>
      <th
        scope="row"
        style={{ height }}
        className="sticky left-0 z-10 border-b border-line bg-surface px-3.5 py-0 text-left font-normal max-md:border-r"
      >
        <span className="flex min-w-0 items-center gap-1.5">
          <span dir="auto" title={test.name} className="truncate text-sm leading-5 font-medium">
            {test.name}
          </span>
          {/* A tag that has no room falls below the line and is not seen. */}
          <span className="flex h-5 min-w-0 flex-1 basis-0 flex-wrap gap-x-1.5 gap-y-2 overflow-hidden max-md:hidden">
            <span className="h-5 w-0" />
            {test.tags.map((tag) => (
              <TagName key={tag} name={tag} className="max-w-24 shrink-0" />
            ))}
          </span>
        </span>
        <span title={test.given} className="block truncate font-mono text-xs text-text-3">
          {test.given}
        </span>
      </th>
      {order.map((position, column) => (
        <ResultCell
          key={position}
          result={cells[position] as RowCell}
          isPinned={position === baseline}
          baselineVersion={baselineVersion}
          place={`${index}:${column}`}
          isTabStop={current === column}
          name={`${test.name}, ${names[position]}: `}
          onOpen={() => onOpen({ row: test.position, column: position })}
        />
      ))}
    </tr>
  )
})

interface ResultCellProps {
  result: RowCell
  isPinned: boolean
  baselineVersion: number
  place: string
  isTabStop: boolean
  name: string
  onOpen: () => void
}

function ResultCell({ result: { cell, change }, isPinned, ...props }: ResultCellProps) {
  return (
    <td className={cn('relative h-px border-b border-l border-line bg-surface p-0', isPinned && PINNED)}>
      <button
        type="button"
        data-cell={props.place}
        tabIndex={props.isTabStop ? 0 : -1}
        onClick={props.onOpen}
        className={cn(
          '@container grid size-full min-w-0 content-center px-3.5 hover:bg-hover/60 focus-visible:outline-offset-[-3px]',
          isPinned && 'bg-accent-soft/30',
          change === 'regression' && 'bg-danger-soft shadow-[inset_2px_0_0_var(--danger)]',
        )}
      >
        <span className="sr-only">{props.name}</span>
        <EvaluationCellView cell={cell} change={change} baselineVersion={props.baselineVersion} />
      </button>
    </td>
  )
}

/** A tag of a case, which has a name alone; the same name is always the same colour. */
function TagName({ name, className }: { name: string; className?: string }) {
  return <TagChip tag={{ id: hueOf(name), name }} {...(className && { className })} />
}

function hueOf(name: string): number {
  return [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 10_007, 1)
}
