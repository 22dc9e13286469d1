import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { ContentView } from '../../../components/content-viewer/content-viewer.tsx'
import { Label } from '../../../components/ui/label.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { Switch } from '../../../components/ui/switch.tsx'
import { cn } from '../../../lib/utils.ts'
import { useModelLabel } from '../../model-settings/models.ts'
import { formatCost } from '../../runs/format-metrics.ts'
import { namesOfRuns } from '../targets/targets.ts'
import type { ColumnActions } from './column-actions.ts'
import { type ColumnRun, costOf, summaryOf } from './column-run.ts'
import { canMark, markDifferences } from './difference-marks.ts'
import { RunColumn } from './run-column.tsx'

export interface RunColumnsProps {
  columns: readonly ColumnRun[]
  contentView: ContentView
  onContentViewChange: (view: ContentView) => void
  actionsOf?: (column: ColumnRun, place: number) => ColumnActions
  fills: boolean
  children?: ReactNode
  className?: string
}

export function RunColumns({
  columns,
  contentView,
  onContentViewChange,
  actionsOf,
  fills,
  children,
  className,
}: RunColumnsProps) {
  const [isTinted, setIsTinted] = useState(true)
  const list = useRef<HTMLUListElement>(null)
  const switchId = useId()
  const names = namesOfRuns({ runs: columns, labelOf: useModelLabel() })
  const place = baselineOf(columns)
  const baseline = columns[place]
  const isWriting = columns.some(({ phase }) => phase === 'writing')
  const cost = costOf(columns)
  useEffect(() => {
    if (!list.current || !isTinted || !canMark()) return
    return markDifferences(list.current)
  }, [isTinted])
  return (
    <section
      aria-label="Answers side by side"
      className={cn('flex min-h-0 min-w-0 flex-col gap-3', className)}
    >
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
        <p className="mr-auto flex flex-wrap items-baseline gap-x-3 text-sm">
          <span role="status">{summaryOf(columns)}</span>
          {cost !== null && (
            <span className="text-text-3">
              {formatCost(cost)}
              {isWriting && ' so far'}
            </span>
          )}
        </p>
        {children}
        {canMark() && (
          <div className="flex items-center gap-2">
            <Label htmlFor={switchId} className="flex items-center gap-1.5 text-sm font-normal text-text-2">
              <span
                aria-hidden="true"
                className="size-3 rounded-[3px] border border-accent/60 bg-accent-soft"
              />
              differs from {names[place]}
            </Label>
            <Switch id={switchId} checked={isTinted} onCheckedChange={setIsTinted} />
          </div>
        )}
        <SegmentedControl
          aria-label="Show the answers as"
          value={contentView}
          onValueChange={onContentViewChange}
        >
          <SegmentedControlItem value="rendered">Rendered</SegmentedControlItem>
          <SegmentedControlItem value="source">Source</SegmentedControlItem>
        </SegmentedControl>
      </div>
      <ColumnTabs list={list} columns={columns} names={names} />
      <ul
        ref={list}
        className={cn(
          'relative grid min-h-0 auto-cols-[minmax(250px,1fr)] grid-flow-col gap-3 overflow-x-auto',
          // Under a finger only: what the focus scrolls to would snap back out of sight.
          'max-md:auto-cols-[calc(100%-28px)] max-md:pointer-coarse:snap-x max-md:pointer-coarse:snap-mandatory',
          fills ? 'flex-1 grid-rows-[minmax(0,1fr)]' : 'items-start',
        )}
      >
        {columns.map((column, place) => (
          <RunColumn
            key={column.key}
            column={column}
            name={names[place] ?? ''}
            baseline={column === baseline ? undefined : baseline}
            contentView={contentView}
            actions={actionsOf?.(column, place) ?? {}}
          />
        ))}
      </ul>
    </section>
  )
}

/** The first run that has an answer, or may get one. */
function baselineOf(columns: readonly ColumnRun[]): number {
  return Math.max(
    0,
    columns.findIndex(({ phase, text }) => text !== '' || phase === 'writing'),
  )
}

const DOTS: Record<ColumnRun['phase'], string> = {
  done: 'bg-ok',
  writing: 'bg-accent motion-safe:animate-pulse',
  failed: 'bg-danger',
  stopped: 'bg-warn',
}

interface ColumnTabsProps {
  list: RefObject<HTMLUListElement | null>
  columns: readonly ColumnRun[]
  names: readonly string[]
}

function ColumnTabs({ list, columns, names }: ColumnTabsProps) {
  const [place, setPlace] = useState(0)
  useEffect(() => {
    const element = list.current
    if (!element) return
    const follow = () => {
      const { scrollLeft, scrollWidth, clientWidth, children } = element
      const way = scrollWidth - clientWidth
      setPlace(way <= 0 ? 0 : Math.round((scrollLeft / way) * (children.length - 1)))
    }
    element.addEventListener('scroll', follow, { passive: true })
    return () => element.removeEventListener('scroll', follow)
  }, [list])
  return (
    <div className="-mx-3.5 overflow-x-auto px-3.5 md:hidden">
      <SegmentedControl
        aria-label="Answer in view"
        value={String(place)}
        onValueChange={(next) =>
          list.current?.children[Number(next)]?.scrollIntoView({ inline: 'start', block: 'nearest' })
        }
        className="min-w-full"
      >
        {columns.map(({ key, phase }, index) => (
          <SegmentedControlItem key={key} value={String(index)}>
            <span aria-hidden="true" className={cn('size-2 shrink-0 rounded-full', DOTS[phase])} />
            {names[index]}
          </SegmentedControlItem>
        ))}
      </SegmentedControl>
    </div>
  )
}
