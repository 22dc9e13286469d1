import type { CountedQuota } from '@catenary/contracts'
import { bigint, integer, pgTable } from 'drizzle-orm/pg-core'

const counter = () => bigint({ mode: 'number' }).notNull().default(0)

/**
 * What each person stores, in one row. Triggers count it in each writing statement, and refuse what exceeds a limit,
 * so no write is missed.
 */
export const usages = pgTable('usages', {
  /** No foreign key: what is deleted with an account is counted after the account is gone. */
  userId: integer().primaryKey(),
  text: counter(),
  prompts: counter(),
  versions: counter(),
  variables: counter(),
  files: counter(),
  uploads: counter(),
  chains: counter(),
  steps: counter(),
  tags: counter(),
  categories: counter(),
  suites: counter(),
  cases: counter(),
} satisfies Record<CountedQuota | 'userId', unknown>)
