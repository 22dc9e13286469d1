import { DndContext, type DragEndEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { PlusIcon } from 'lucide-react'
import { memo, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { cn } from '../../../lib/utils.ts'
import { RowActions } from './row-actions.tsx'
import { SCHEMA_LINE, SchemaFieldInputs } from './schema-field-inputs.tsx'
import { newRow, problemsOf, type SchemaRow } from './schema-rows.ts'

/** A press that moves less opens the menu. */
const DRAG_DISTANCE = 6

export interface SchemaFieldTableProps {
  rows: SchemaRow[]
  isTried: boolean
  change: ChangeRows
  footer: ReactNode
}

export function SchemaFieldTable({ rows, isTried, change, footer }: SchemaFieldTableProps) {
  const latest = useRef(change)
  useEffect(() => {
    latest.current = change
  }, [change])
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <div
        aria-hidden="true"
        className={cn(
          SCHEMA_LINE,
          'border-b border-line px-1 text-xs leading-8 font-medium text-text-3 @max-lg:hidden [&>span]:px-2',
        )}
      >
        <span>Field</span>
        <span>Type</span>
        <span>Description</span>
        <span className="px-0! text-center">Required</span>
      </div>
      <SchemaFieldList
        label="Fields of the answer"
        rows={rows}
        number=""
        depth={0}
        problems={problemsOf(rows)}
        isTried={isTried}
        change={useCallback<ChangeRows>((update) => latest.current(update), [])}
        footer={footer}
      />
    </div>
  )
}

interface SchemaFieldListProps {
  label: string
  rows: SchemaRow[]
  number: string
  depth: number
  problems: ReadonlyMap<string, string>
  isTried: boolean
  change: ChangeRows
  footer?: ReactNode
}

function SchemaFieldList(props: SchemaFieldListProps) {
  const { label, rows, number, depth, problems, isTried, change, footer } = props
  const list = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState('')
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE } }))
  const focusNext = useFocusAfter({ list, rows })

  const move = useCallback(
    (from: number, to: number) => {
      change((rows) => {
        const row = rows[from]
        if (row) {
          focusNext(`[data-row="${row.id}"] [data-row-handle]`)
          const place = Math.max(0, Math.min(to, rows.length - 1))
          setSaid(`${row.name || 'The field'} is field ${place + 1} of ${rows.length}.`)
        }
        return movedRow(rows, { from, to })
      })
    },
    [change, focusNext],
  )
  const remove = useCallback(
    (index: number) => {
      change((rows) => {
        const next = rows[index + 1] ?? rows[index - 1]
        focusNext(next ? `[data-row="${next.id}"] [data-row-name]` : '[data-add-field]')
        setSaid(`${rows[index]?.name || 'The field'} is removed.`)
        return rows.toSpliced(index, 1)
      })
    },
    [change, focusNext],
  )
  const add = () => {
    const row = newRow()
    focusNext(`[data-row="${row.id}"] [data-row-name]`)
    change((rows) => [...rows, row])
  }
  const drop = ({ active, over }: DragEndEvent) => {
    const placeOf = (id: unknown) => rows.findIndex((row) => row.id === id)
    if (over && over.id !== active.id) move(placeOf(active.id), placeOf(over.id))
  }
  return (
    <div ref={list} className={cn(depth > 0 && 'ml-4 border-t border-l border-line')}>
      <DndContext sensors={sensors} onDragEnd={drop}>
        <SortableContext items={rows} strategy={verticalListSortingStrategy}>
          <ul aria-label={label}>
            {rows.map((row, index) => (
              <SchemaField
                key={row.id}
                row={row}
                index={index}
                count={rows.length}
                number={`${number}${index + 1}`}
                depth={depth}
                problems={problems}
                isTried={isTried}
                change={change}
                onMove={move}
                onRemove={remove}
              />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
      <div className="flex flex-wrap items-center justify-between gap-x-3 border-t border-line py-0.5 pr-3 pl-1 first:border-t-0">
        <Button variant="ghost" size="sm" data-add-field onClick={add}>
          <PlusIcon />
          Field
          {depth > 0 && <span className="sr-only"> of field {number.slice(0, -1)}</span>}
        </Button>
        {footer}
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  )
}

/** Brings the focus to what is wanted, once the rows that it depends on are there. */
function useFocusAfter({
  list,
  rows,
}: {
  list: React.RefObject<HTMLElement | null>
  rows: readonly SchemaRow[]
}) {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null || rows.length < 0) return
    list.current?.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = null
  }, [list, rows])
  return useCallback((selector: string) => {
    wanted.current = selector
  }, [])
}

interface SchemaFieldProps {
  row: SchemaRow
  index: number
  count: number
  number: string
  depth: number
  problems: ReadonlyMap<string, string>
  /** A save was tried: what is missing is said too. */
  isTried: boolean
  change: ChangeRows
  onMove: (from: number, to: number) => void
  onRemove: (index: number) => void
}

const SchemaField = memo(function SchemaField(props: SchemaFieldProps) {
  const { row, index, count, number, depth, problems, isTried, change, onMove, onRemove } = props
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } = useSortable({
    id: row.id,
  })
  const id = useId()
  const [isLeft, setIsLeft] = useState(false)
  const { id: rowId } = row
  const changeRow = useCallback(
    (update: (row: SchemaRow) => SchemaRow) =>
      change((rows) => changedRow(rows, { id: rowId, change: update })),
    [change, rowId],
  )
  const changeInner: ChangeRows = useCallback(
    (update) => changeRow((row) => ({ ...row, rows: update(row.rows) })),
    [changeRow],
  )
  // A new field isn't wrong before it is left.
  const isSaid = isTried || isLeft || row.name !== ''
  const problem = isSaid ? problems.get(row.id) : undefined
  const described = problem === undefined ? undefined : `${id}-problem`
  return (
    <li
      ref={setNodeRef}
      data-row={row.id}
      style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
      className={cn(
        'relative border-t border-line bg-surface first:border-t-0',
        isDragging && 'z-10 shadow-float',
      )}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it notes that the focus has left the field. */}
      <div
        onBlur={({ currentTarget, relatedTarget }) =>
          relatedTarget instanceof Node && !currentTarget.contains(relatedTarget) && setIsLeft(true)
        }
        className={cn('group/field px-1 py-0.5 focus-within:bg-accent-soft', problem && 'bg-danger-soft')}
      >
        <SchemaFieldInputs
          row={row}
          number={number}
          depth={depth}
          describedBy={described}
          onChange={changeRow}
          actions={
            <RowActions
              name={row.name === '' ? `field ${number}` : `field ${number}, ${row.name}`}
              index={index}
              count={count}
              handle={{ ref: setActivatorNodeRef, listeners }}
              onMove={(by) => onMove(index, index + by)}
              onRemove={() => onRemove(index)}
            />
          }
        />
        {problem && (
          <p id={described} role="alert" className="px-2 pb-1 text-xs wrap-anywhere text-danger">
            {problem}
          </p>
        )}
      </div>
      {row.type === 'group' && (
        <SchemaFieldList
          label={`Fields of field ${number}`}
          rows={row.rows}
          number={`${number}.`}
          depth={depth + 1}
          problems={problems}
          isTried={isTried}
          change={changeInner}
        />
      )}
    </li>
  )
})

/** Rows in another order; a place outside of them changes nothing. */
function movedRow(rows: SchemaRow[], { from, to }: { from: number; to: number }): SchemaRow[] {
  const row = rows[from]
  if (row === undefined || to < 0 || to >= rows.length || from === to) return rows
  return rows.toSpliced(from, 1).toSpliced(to, 0, row)
}

type ChangeRows = (update: (rows: SchemaRow[]) => SchemaRow[]) => void

function changedRow(
  rows: SchemaRow[],
  { id, change }: { id: string; change: (row: SchemaRow) => SchemaRow },
): SchemaRow[] {
  return rows.map((row) => (row.id === id ? change(row) : row))
}
