import type { ReadToken } from '@catenary/contracts'
import { useId, useState } from 'react'
import { TableCell, TableRow } from '../../../components/ui/table.tsx'
import { cn } from '../../../lib/utils.ts'
import { formatCost, formatCount } from '../../shared/run/format-metrics.ts'
import { LastUsed } from '../last-used.tsx'
import { TokenActions, type TokenActionsProps } from '../token-actions.tsx'
import { FOLDED } from '../token-columns.ts'
import { TokenDetails } from '../token-details.tsx'
import { TokenName } from '../token-name.tsx'
import { TokenRuns } from '../token-runs.tsx'

export interface ReadTokenRowProps extends TokenActionsProps {
  token: ReadToken
}

/** One token; its name opens what it may do and the runs made through it. */
export function ReadTokenRow({ token, ...actions }: ReadTokenRowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const panelId = useId()
  const prompts = token.prompts.map(({ title }) => title).join(', ') || 'None left'
  return (
    <>
      <TableRow data-token-id={token.id} className="hover:bg-hover/60">
        <TableCell className="py-2">
          <TokenName token={token} isOpen={isOpen} panelId={panelId} onToggle={() => setIsOpen(!isOpen)} />
          <p aria-hidden className="line-clamp-2 pt-0.5 pl-[18px] text-xs text-text-3 @xl:hidden">
            {prompts}
          </p>
          <p aria-hidden className="pl-[18px] text-xs text-text-3 @lg:hidden">
            {token.mayRun ? 'fetches and runs' : 'fetches'} · <LastUsed time={token.lastUsed} />
          </p>
        </TableCell>
        <TableCell className={cn('text-text-2', FOLDED.xl)}>
          <p className="line-clamp-2 wrap-anywhere" title={prompts}>
            {prompts}
          </p>
        </TableCell>
        <TableCell className={cn('truncate text-text-2', FOLDED.lg)}>
          <span>{token.mayRun ? 'Fetch and run' : 'Fetch'}</span>
        </TableCell>
        <TableCell className={cn('truncate text-text-2', FOLDED.lg)}>
          <span>
            <LastUsed time={token.lastUsed} />
          </span>
        </TableCell>
        <TableCell className={cn('text-right tabular-nums text-text-2', FOLDED['2xl'])}>
          <span>{formatCount(token.calls)}</span>
        </TableCell>
        <TableCell className={cn('text-right tabular-nums text-text-2', FOLDED['2xl'])}>
          <span>{formatCost(token.costUsd)}</span>
        </TableCell>
        <TableCell className="pr-2 pl-1">
          <TokenActions token={token} {...actions} />
        </TableCell>
      </TableRow>
      <tr id={panelId} hidden={!isOpen} className="border-t-0!">
        <td colSpan={7} className="bg-inset px-3.5 py-3.5">
          {isOpen && <TokenDetails token={token}>{token.mayRun && <TokenRuns token={token} />}</TokenDetails>}
        </td>
      </tr>
    </>
  )
}
