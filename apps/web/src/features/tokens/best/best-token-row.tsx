import type { BestToken } from '@catenary/contracts'
import { useId, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { TableCell, TableRow } from '../../../components/ui/table.tsx'
import { cn } from '../../../lib/utils.ts'
import { CreatedAt, LastUsed } from '../last-used.tsx'
import { TokenActions, type TokenActionsProps } from '../token-actions.tsx'
import { FOLDED } from '../token-columns.ts'
import { TokenDetails } from '../token-details.tsx'
import { TokenName } from '../token-name.tsx'
import { TokenRuns } from '../token-runs.tsx'
import { isEmptied } from '../token-texts.ts'
import { formatConfidence } from './selection-texts.ts'

export interface BestTokenRowProps extends TokenActionsProps {
  token: BestToken
  onShowSelections: () => void
}

/** One token; its name opens what it may do and what was chosen through it. */
export function BestTokenRow({ token, onShowSelections, ...actions }: BestTokenRowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const panelId = useId()
  const { lastSelection } = token
  return (
    <>
      <TableRow data-token-id={token.id} className="hover:bg-hover/60">
        <TableCell className="py-2">
          <TokenName token={token} isOpen={isOpen} panelId={panelId} onToggle={() => setIsOpen(!isOpen)} />
          <p aria-hidden className="pt-0.5 pl-[18px] text-xs text-text-3 @xl:hidden">
            {chainsOf(token)}
          </p>
          <p aria-hidden className="pl-[18px] text-xs text-text-3 @lg:hidden">
            <LastUsed time={token.lastUsed} /> · created <CreatedAt time={token.createdAt} />
          </p>
          {token.droppedChains.length > 0 && (
            <p className="pt-0.5 pl-[18px] text-xs text-warn wrap-anywhere">{droppedOf(token)}</p>
          )}
        </TableCell>
        <TableCell className={cn('text-text-2', FOLDED.xl)}>
          <p className="line-clamp-2 wrap-anywhere" title={chainsOf(token)}>
            {chainsOf(token)}
          </p>
        </TableCell>
        <TableCell className={cn('text-text-2', FOLDED['3xl'])}>
          {lastSelection && (
            <p className="flex min-w-0 gap-1.5">
              <span className="truncate">{lastSelection.chainName}</span>
              {lastSelection.confidence !== null && (
                <b className="font-semibold text-text tabular-nums">
                  {formatConfidence(lastSelection.confidence)}
                </b>
              )}
            </p>
          )}
        </TableCell>
        <TableCell className={cn('truncate text-text-2', FOLDED.lg)}>
          <span>
            <LastUsed time={token.lastUsed} />
          </span>
        </TableCell>
        <TableCell className={cn('truncate text-text-2', FOLDED['3xl'])}>
          <span>
            <CreatedAt time={token.createdAt} />
          </span>
        </TableCell>
        <TableCell className="pr-2 pl-1">
          <TokenActions token={token} {...actions} />
        </TableCell>
      </TableRow>
      <tr id={panelId} hidden={!isOpen} className="border-t-0!">
        <td colSpan={6} className="bg-inset px-3.5 py-3.5">
          {isOpen && (
            <TokenDetails token={token}>
              <Button variant="secondary" size="sm" className="justify-self-start" onClick={onShowSelections}>
                Show its selections only
              </Button>
              <TokenRuns token={token} />
            </TokenDetails>
          )}
        </td>
      </tr>
    </>
  )
}

/** Which chains it reaches, in words. */
function chainsOf(token: BestToken): string {
  if (token.includesAllChains) return 'All accessible chains'
  return isEmptied(token) ? 'None left' : token.includedChains.map(({ name }) => name).join(', ')
}

function droppedOf({ droppedChains: { length } }: BestToken): string {
  return length === 1
    ? 'One chain of others is no longer included. Edit to accept it.'
    : `${length} chains of others are no longer included. Edit to accept them.`
}
