import type { ReadToken } from '@catenary/contracts'
import { cn } from '../../../lib/utils.ts'
import { LastUsed } from '../last-used.tsx'
import type { TokenActionsProps } from '../token-actions.tsx'
import { FOLDED, lastUsedColumn, type TokenColumn, USE_COLUMNS } from '../token-columns.tsx'
import { TokenRow } from '../token-row.tsx'
import { TokenRuns } from '../token-runs.tsx'

export const READ_TOKEN_COLUMNS: readonly TokenColumn<ReadToken>[] = [
  {
    name: 'Prompts',
    head: FOLDED.xl,
    cell: cn('text-text-2', FOLDED.xl),
    show: (token) => (
      <p className="line-clamp-2 wrap-anywhere" title={promptsOf(token)}>
        {promptsOf(token)}
      </p>
    ),
  },
  {
    name: 'May',
    head: cn('w-[112px]', FOLDED.lg),
    cell: cn('truncate text-text-2', FOLDED.lg),
    show: ({ mayRun }) => <span>{mayRun ? 'Fetch and run' : 'Fetch'}</span>,
  },
  lastUsedColumn({ name: 'Last used', fold: 'lg' }),
  ...USE_COLUMNS,
]

export interface ReadTokenRowProps extends TokenActionsProps {
  token: ReadToken
}

/** One read token, with the runs made through it. */
export function ReadTokenRow(props: ReadTokenRowProps) {
  const { token } = props
  return (
    <TokenRow
      {...props}
      columns={READ_TOKEN_COLUMNS}
      below={
        <>
          <p aria-hidden className="line-clamp-2 pt-0.5 pl-[18px] text-xs text-text-3 @xl:hidden">
            {promptsOf(token)}
          </p>
          <p aria-hidden className="pl-[18px] text-xs text-text-3 @lg:hidden">
            {token.mayRun ? 'fetches and runs' : 'fetches'} · <LastUsed time={token.lastUsed} />
          </p>
        </>
      }
    >
      {token.mayRun && <TokenRuns token={token} />}
    </TokenRow>
  )
}

const promptsOf = ({ prompts }: ReadToken): string =>
  prompts.map(({ title }) => title).join(', ') || 'None left'
