import type { ListedVariable } from '@catenary/contracts'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent, RefObject } from 'react'
import { Table, TableBody, TableHead, TableHeader, TableRow } from '../../components/ui/table.tsx'
import { useNearEnd } from '../../components/virtual/virtual-near-end.ts'
import { useShownDensity } from '../../lib/appearance/density.ts'
import { VariableRow, type VariableRowActions } from './variable-row.tsx'
import type { UsageCounts } from './variable-usage.ts'

const DRAWN_MAX = 100
const OVERSCAN_ROWS = 12
const ROW_HEIGHT = { comfortable: 48, compact: 36 }
const PHONE_ROW_HEIGHT = 86

export interface VariablesTableProps extends VariableRowActions {
  variables: readonly ListedVariable[]
  usage: ReadonlyMap<number, UsageCounts> | undefined
  compact: boolean
  isGuest: boolean
  scroller: RefObject<HTMLElement | null>
  onNearEnd: () => void
}

const NOT_USED: UsageCounts = { prompts: 0, chains: 0 }

export function VariablesTable({
  variables,
  usage,
  compact,
  scroller,
  onNearEnd,
  ...row
}: VariablesTableProps) {
  const density = useShownDensity()
  const isLong = variables.length > DRAWN_MAX
  const virtualizer = useVirtualizer({
    count: variables.length,
    enabled: isLong,
    getScrollElement: () => scroller.current,
    estimateSize: () => (compact ? PHONE_ROW_HEIGHT : ROW_HEIGHT[density]),
    getItemKey: (index) => variables[index]?.id ?? index,
    overscan: OVERSCAN_ROWS,
  })
  const near = virtualizer.getVirtualItems()
  const start = isLong ? (near[0]?.index ?? 0) : 0
  const end = isLong ? (near.at(-1)?.index ?? -1) + 1 : variables.length
  useNearEnd({ last: end, count: variables.length, onNearEnd })
  return (
    <Table
      aria-label="Variables"
      aria-rowcount={isLong ? variables.length + 1 : undefined}
      className="table-fixed"
    >
      <Columns withUsage={!row.isGuest} />
      <TableHeader>
        <TableRow aria-rowindex={isLong ? 1 : undefined}>
          <TableHead>Name</TableHead>
          <TableHead className="max-md:hidden">
            <span className="max-[85rem]:sr-only">Type</span>
          </TableHead>
          <TableHead className="max-md:hidden">Content</TableHead>
          <TableHead className="max-xl:hidden">Tags</TableHead>
          {!row.isGuest && <TableHead className="max-lg:hidden">Used by</TableHead>}
          <TableHead className="max-lg:hidden">Visibility</TableHead>
          <TableHead>
            <span className="sr-only">Actions</span>
          </TableHead>
        </TableRow>
      </TableHeader>
      <TableBody onKeyDown={moveBetweenNames}>
        <Spacer height={isLong ? (near[0]?.start ?? 0) : 0} />
        {variables.slice(start, end).map((variable, offset) => (
          <VariableRow
            key={variable.id}
            variable={variable}
            index={start + offset}
            usage={usage && (usage.get(variable.id) ?? NOT_USED)}
            compact={compact}
            aria-rowindex={isLong ? start + offset + 2 : undefined}
            {...row}
          />
        ))}
        <Spacer height={isLong ? virtualizer.getTotalSize() - (near.at(-1)?.end ?? 0) : 0} />
      </TableBody>
    </Table>
  )
}

/** Fixed, so that columns keep their places while rows come and go. */
function Columns({ withUsage }: { withUsage: boolean }) {
  return (
    <colgroup>
      <col className="md:w-[160px]" />
      {/* Up to where all columns have room, content goes first. */}
      <col className="w-11 max-md:hidden min-[85rem]:w-[126px]" />
      <col className="max-md:hidden" />
      <col className="max-xl:hidden xl:w-[172px]" />
      {withUsage && <col className="w-[116px] max-lg:hidden xl:w-[144px]" />}
      <col className="w-[92px] max-lg:hidden" />
      <col className="w-[126px] max-md:w-12" />
    </colgroup>
  )
}

function Spacer({ height }: { height: number }) {
  return height > 0 && <tr className="border-0!" style={{ height }} />
}

function moveBetweenNames(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const names = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-grid-focus]')]
  const current = event.target instanceof HTMLElement ? names.indexOf(event.target) : -1
  const next = current === -1 ? undefined : names[current + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
