import { type RefObject, useEffect, useState } from 'react'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { cn } from '../../../lib/utils.ts'
import type { ColumnRun } from './column-run.ts'

const DOTS: Record<ColumnRun['phase'], string> = {
  done: 'bg-ok',
  writing: 'bg-accent motion-safe:animate-pulse',
  failed: 'bg-danger',
  stopped: 'bg-warn',
}

export interface ColumnTabsProps {
  list: RefObject<HTMLUListElement | null>
  columns: readonly ColumnRun[]
  names: readonly string[]
}

export function ColumnTabs({ list, columns, names }: ColumnTabsProps) {
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
