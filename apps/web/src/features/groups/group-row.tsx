import type { Group } from '@catenary/contracts'
import { ChevronRightIcon } from 'lucide-react'
import { useId } from 'react'
import { TableCell, TableRow } from '../../components/ui/table.tsx'
import { cn } from '../../lib/utils.ts'
import { COLUMNS, FOLDED_CELL } from './columns.ts'
import { GroupPanel } from './group-details.tsx'
import { peopleText } from './group-texts.ts'
import { GroupIcon } from './people-search.tsx'

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
      <TableRow className={cn('hover:bg-hover/60', isOpen && 'bg-inset')}>
        <TableCell className="py-2">
          <div className="flex min-w-0 items-center gap-2 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-text-3">
            <GroupIcon group={group} />
            <div className="grid min-w-0 flex-1">
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={panelId}
                onClick={onToggle}
                className="relative flex min-w-0 items-center gap-1.5 justify-self-start rounded-tag text-left font-medium after:absolute after:inset-x-0 after:-inset-y-1.5 hover:underline pointer-coarse:after:-inset-y-3"
              >
                <span dir="auto" className="truncate">
                  {name}
                </span>
                <ChevronRightIcon aria-hidden className={cn(isOpen && 'rotate-90')} />
              </button>
              {isBuiltIn && <p className="text-xs text-text-3">signed in, not guests</p>}
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
          <span title={leaders} className="block truncate">
            {leaders}
          </span>
        </TableCell>
        <TableCell className="text-right tabular-nums">{shareCount.toLocaleString('en')}</TableCell>
      </TableRow>
      <tr id={panelId} hidden={!isOpen} className="border-t-0!">
        <td colSpan={COLUMNS.length} className="bg-inset px-(--card-x) pb-4">
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
