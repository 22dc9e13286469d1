import type { BestToken } from '@catenary/contracts'
import { Button } from '../../../components/ui/button.tsx'
import { cn } from '../../../lib/utils.ts'
import { CreatedAt, LastUsed } from '../last-used.tsx'
import type { TokenActionsProps } from '../token-actions.tsx'
import { createdColumn, FOLDED, lastUsedColumn, type TokenColumn } from '../token-columns.tsx'
import { TokenRow } from '../token-row.tsx'
import { TokenRuns } from '../token-runs.tsx'
import { isEmptied } from '../token-texts.ts'
import { formatConfidence } from './selection-texts.ts'

export const BEST_TOKEN_COLUMNS: readonly TokenColumn<BestToken>[] = [
  {
    name: 'Chains',
    head: FOLDED.xl,
    cell: cn('text-text-2', FOLDED.xl),
    show: (token) => (
      <p className="line-clamp-2 wrap-anywhere" title={chainsOf(token)}>
        {chainsOf(token)}
      </p>
    ),
  },
  {
    name: 'Last selection',
    head: FOLDED['3xl'],
    cell: cn('text-text-2', FOLDED['3xl']),
    show: ({ lastSelection }) =>
      lastSelection && (
        <p className="flex min-w-0 gap-1.5">
          <span dir="auto" className="truncate">
            {lastSelection.chainName}
          </span>
          {lastSelection.confidence !== null && (
            <b className="font-semibold text-text tabular-nums">
              {formatConfidence(lastSelection.confidence)}
            </b>
          )}
        </p>
      ),
  },
  lastUsedColumn({ name: 'Last used', fold: 'lg' }),
  createdColumn({ name: 'Created', fold: '3xl' }),
]

export interface BestTokenRowProps extends TokenActionsProps {
  token: BestToken
  onShowSelections: () => void
}

export function BestTokenRow({ onShowSelections, ...props }: BestTokenRowProps) {
  const { token } = props
  return (
    <TokenRow
      {...props}
      columns={BEST_TOKEN_COLUMNS}
      below={
        <>
          <p aria-hidden className="pt-0.5 pl-[18px] text-xs text-text-3 @xl:hidden">
            {chainsOf(token)}
          </p>
          <p aria-hidden className="pl-[18px] text-xs text-text-3 @lg:hidden">
            <LastUsed time={token.lastUsed} /> · created <CreatedAt time={token.createdAt} />
          </p>
        </>
      }
    >
      <Button variant="secondary" size="sm" className="justify-self-start" onClick={onShowSelections}>
        Show its selections only
      </Button>
      <TokenRuns token={token} />
    </TokenRow>
  )
}

function chainsOf(token: BestToken): string {
  if (token.includesAllChains) return 'All accessible chains'
  return isEmptied(token) ? 'None left' : token.includedChains.map(({ name }) => name).join(', ')
}
