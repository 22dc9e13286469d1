import type { updateReadTokenRequest } from '@catenary/contracts'
import { usdToNanos } from '@catenary/domain'
import type * as z from 'zod'
import type { TokenFields } from './tokens.sql.ts'

type Converted = 'expiresAt' | 'monthlyBudgetUsd'

/** What is asked for, as it is kept. */
export function toTokenColumns<Fields extends Pick<z.output<typeof updateReadTokenRequest>, Converted>>({
  expiresAt,
  monthlyBudgetUsd,
  ...fields
}: Fields): Omit<Fields, Converted> & Pick<TokenFields, 'expiresAt' | 'monthlyBudgetNanos'> {
  return {
    ...fields,
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
    ...(monthlyBudgetUsd === undefined
      ? {}
      : { monthlyBudgetNanos: monthlyBudgetUsd === null ? null : usdToNanos(monthlyBudgetUsd) }),
  }
}

/** What only folder tokens are asked for, as it is kept. */
export const toFolderColumns = <Fields extends { mayEvaluate?: boolean | undefined }>({
  mayEvaluate,
  ...fields
}: Fields) => ({ ...fields, ...(mayEvaluate !== undefined && { mayRun: mayEvaluate }) })
