import type { Group } from '@catenary/contracts'
import { useId } from 'react'
import { FoldArrow } from '../../components/fold-arrow.tsx'
import { TableCell, TableRow } from '../../components/ui/table.tsx'
import { cn } from '../../lib/utils.ts'
import { COLUMNS, FOLDED_CELL } from './columns.ts'
import { GroupPanel } from './group-details.tsx'
import { peopleText } from './group-texts.ts'
import { GroupIcon } from './people-search.tsx'

const OPEN = 'shadow-[inset_2px_0_0_var(--accent)]'

export interface GroupRowProps {
  group: Group
  isOpen: boolean
  onToggle: () => void
  onDeleted: () => void
}

export function GroupRow({ group, isOpen, onToggle, onDeleted }: GroupRowProps) {
  const panelId = useId()
  const { name, isBuiltIn, memberCount, shareCount } = group
  const leaders = leadersText(group)
  return (
    <>
      <TableRow className={cn('relative hover:bg-hover/60', isOpen && 'bg-inset')}>
        <TableCell className={cn('py-2', isOpen && OPEN)}>
          <div className="flex min-w-0 items-center gap-2 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-text-3">
            <GroupIcon group={group} />
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-baseline gap-x-2">
                <button
                  type="button"
                  dir="auto"
                  aria-expanded={isOpen}
                  aria-controls={panelId}
                  onClick={onToggle}
                  className="max-w-full truncate rounded-tag text-left font-medium after:absolute after:inset-0 hover:underline"
                >
                  {name}
                </button>
                {isBuiltIn && <p className="text-xs text-text-3">signed in, not guests</p>}
              </div>
              <p className="hidden truncate text-xs text-text-3 @max-lg:block">
                {peopleText(memberCount)}, {isBuiltIn ? leaders : `led by ${leaders}`}
              </p>
            </div>
          </div>
        </TableCell>
        <TableCell className={cn('text-right tabular-nums', FOLDED_CELL)}>
          <span>{memberCount.toLocaleString('en')}</span>
        </TableCell>
        <TableCell className={cn('text-text-2', FOLDED_CELL)}>
          <span className="block truncate">{leaders}</span>
        </TableCell>
        <TableCell className="text-right tabular-nums">
          <div className="flex items-center justify-end gap-3">
            {shareCount.toLocaleString('en')}
            <FoldArrow isOpen={isOpen} />
          </div>
        </TableCell>
      </TableRow>
      <tr id={panelId} hidden={!isOpen} className="border-t-0!">
        <td colSpan={COLUMNS.length} className={cn('bg-inset px-(--card-x) pb-4', OPEN)}>
          {isOpen && <GroupPanel group={group} onDeleted={onDeleted} />}
        </td>
      </tr>
    </>
  )
}

function leadersText({ isBuiltIn, leaders }: Group): string {
  if (isBuiltIn) return 'built in'
  return leaders.length === 0 ? 'admins' : leaders.join(', ')
}
