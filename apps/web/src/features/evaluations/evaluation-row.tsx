import { memo } from 'react'
import { cn } from '../../lib/utils.ts'
import { TagChip } from '../library/tags/tag-chip.tsx'
import { EvaluationCellView } from './evaluation-cell.tsx'
import type { EvaluationRow } from './evaluation-rows.ts'
import type { CellPlace } from './use-cell-focus.ts'

interface EvaluationRowProps {
  row: EvaluationRow
  index: number
  height: number
  names: readonly string[]
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
          <span title={test.name} className="truncate text-sm font-medium">
            {test.name}
          </span>
          <span className="flex min-w-0 shrink-1000 gap-1.5 overflow-hidden max-md:hidden">
            {test.tags.map((tag) => (
              <TagName key={tag} name={tag} className="max-w-24" />
            ))}
          </span>
        </span>
        <span title={test.given} className="block truncate font-mono text-xs text-text-3">
          {test.given}
        </span>
      </th>
      {cells.map(({ cell, change }, column) => (
        <td
          key={cell.targetPosition}
          className={cn(
            'relative h-px border-b border-l border-line p-0',
            column === baseline && 'bg-accent-soft/30',
            change === 'regression' && 'bg-danger-soft shadow-[inset_2px_0_0_var(--danger)]',
          )}
        >
          <button
            type="button"
            data-cell={`${index}:${column}`}
            tabIndex={current === column ? 0 : -1}
            title={cell.reason ?? undefined}
            onClick={() => onOpen({ row: test.position, column })}
            className="grid size-full min-w-0 content-center px-3.5 hover:bg-hover/60 focus-visible:outline-offset-[-3px]"
          >
            <span className="sr-only">
              {test.name}, {names[column]}:{' '}
            </span>
            <EvaluationCellView cell={cell} change={change} baselineVersion={baselineVersion} />
          </button>
        </td>
      ))}
    </tr>
  )
})

/** A tag of a case, which has a name alone; the same name is always the same colour. */
function TagName({ name, className }: { name: string; className?: string }) {
  return <TagChip tag={{ id: hueOf(name), name }} {...(className && { className })} />
}

function hueOf(name: string): number {
  return [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 10_007, 1)
}
