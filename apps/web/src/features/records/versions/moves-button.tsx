import { ChevronRightIcon, HistoryIcon } from 'lucide-react'
import { countOf, useList } from '../../../lib/lists.ts'
import { formatTime } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { PRODUCTION } from './label-chip.tsx'
import { lastMoveQuery } from './version-labels.queries.ts'
import type { Versioned } from './versioned.ts'

/** Leads to the moves of the labels, and says how many production had. */
export function MovesButton({ record, onClick }: { record: Versioned; onClick: () => void }) {
  const { list } = useList(lastMoveQuery({ record, label: PRODUCTION }))
  const timeZone = useTimeZone()
  const [last] = list?.items ?? []
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-11 shrink-0 items-center gap-2 border-t border-line px-4 text-left text-sm text-text-2 transition-colors hover:bg-hover hover:text-text focus-visible:outline-offset-[-3px]"
    >
      <HistoryIcon className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">
        {list && last
          ? `${PRODUCTION} moved ${timesOf(countOf(list))}, last ${formatTime({ time: last.movedAt, as: 'shortDay', timeZone })}`
          : 'Label history'}
      </span>
      <ChevronRightIcon className="size-4 shrink-0 text-text-3" />
    </button>
  )
}

function timesOf(count: string): string {
  return count === '1' ? 'once' : `${count} times`
}
