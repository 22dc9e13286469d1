import type { ChainToken } from '@catenary/contracts'
import { CreatedAt, LastUsed } from '../last-used.tsx'
import type { TokenActionsProps } from '../token-actions.tsx'
import { createdColumn, lastUsedColumn, type TokenColumn, USE_COLUMNS } from '../token-columns.tsx'
import { TokenRow } from '../token-row.tsx'
import { TokenRuns } from '../token-runs.tsx'

export const CHAIN_TOKEN_COLUMNS: readonly TokenColumn<ChainToken>[] = [
  lastUsedColumn({ name: 'Last Used', fold: 'lg' }),
  createdColumn({ name: 'Created', fold: 'lg' }),
  ...USE_COLUMNS,
]

export interface ChainTokenRowProps extends TokenActionsProps {
  token: ChainToken
}

export function ChainTokenRow(props: ChainTokenRowProps) {
  const { token } = props
  return (
    <TokenRow
      {...props}
      columns={CHAIN_TOKEN_COLUMNS}
      below={
        <p aria-hidden className="pt-0.5 pl-[18px] text-xs text-text-3 @lg:hidden">
          {token.calls !== null && (
            <>
              <LastUsed time={token.lastUsed} /> ·{' '}
            </>
          )}
          created <CreatedAt time={token.createdAt} />
        </p>
      }
    >
      <TokenRuns token={token} />
    </TokenRow>
  )
}
