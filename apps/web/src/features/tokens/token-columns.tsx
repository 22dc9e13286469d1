import type { ReactNode } from 'react'
import { cn } from '../../lib/utils.ts'
import { formatCost, formatCount } from '../runs/format-metrics.ts'
import { CreatedAt, LastUsed } from './last-used.tsx'
import type { AnyToken } from './token-texts.ts'

/** A column that a narrow list has for assistive technology only: in view it would leave no room for the names. */
export const FOLDED = {
  lg: '@max-lg:relative @max-lg:w-0 @max-lg:p-0 @max-lg:[&>*]:sr-only',
  xl: '@max-xl:relative @max-xl:w-0 @max-xl:p-0 @max-xl:[&>*]:sr-only',
  '2xl': '@max-2xl:relative @max-2xl:w-0 @max-2xl:p-0 @max-2xl:[&>*]:sr-only',
  '3xl': '@max-3xl:relative @max-3xl:w-0 @max-3xl:p-0 @max-3xl:[&>*]:sr-only',
}

export interface TokenColumn<Token> {
  name: string
  head: string
  cell: string
  show: (token: Token) => ReactNode
}

interface Named {
  name: string
  fold: keyof typeof FOLDED
}

export const lastUsedColumn = ({ name, fold }: Named): TokenColumn<AnyToken> => ({
  name,
  head: cn('w-[124px]', FOLDED[fold]),
  cell: cn('truncate text-text-2', FOLDED[fold]),
  show: ({ lastUsed, calls }) => <span>{calls === null ? '–' : <LastUsed time={lastUsed} />}</span>,
})

export const createdColumn = ({ name, fold }: Named): TokenColumn<AnyToken> => ({
  name,
  head: cn('w-[120px]', FOLDED[fold]),
  cell: cn('truncate text-text-2', FOLDED[fold]),
  show: ({ createdAt }) => (
    <span>
      <CreatedAt time={createdAt} />
    </span>
  ),
})

export const USE_COLUMNS: readonly TokenColumn<AnyToken>[] = [
  {
    name: 'Calls',
    head: cn('w-[72px] text-right', FOLDED['2xl']),
    cell: cn('text-right tabular-nums text-text-2', FOLDED['2xl']),
    show: ({ calls }) => <span>{formatCount(calls)}</span>,
  },
  {
    name: 'Cost',
    head: cn('w-[80px] text-right', FOLDED['2xl']),
    cell: cn('text-right tabular-nums text-text-2', FOLDED['2xl']),
    show: ({ costUsd }) => <span>{costUsd === null ? '–' : formatCost(costUsd)}</span>,
  },
]
