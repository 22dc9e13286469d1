import type { CountedQuota } from '@catenary/contracts'
import { bigint, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { runStatus } from './runs.ts'

const counter = () => bigint({ mode: 'number' }).notNull().default(0)

/** What each person stores, in one row. Triggers count in the writing statement and refuse what exceeds a limit. */
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
  views: counter(),
  groups: counter(),
  webhooks: counter(),
} satisfies Record<CountedQuota | 'userId', unknown>)

const total = () => bigint({ mode: 'number' }).notNull().default(0)

/**
 * Ended runs and answered model calls that the sums don't include yet. Triggers write them in the statement that ends
 * a run or a step, so no row waits for another run, and no write is missed.
 */
export const usageCalls = pgTable(
  'usage_calls',
  {
    at: at().notNull(),
    userId: integer().notNull(),
    promptId: integer(),
    chainId: integer(),
    source: text().$type<'evaluation'>(),
    model: text(),
    outcome: runStatus(),
    reason: text(),
    inputTokens: integer(),
    outputTokens: integer(),
    cachedTokens: integer(),
    costNanos: bigint({ mode: 'number' }),
    savedNanos: bigint({ mode: 'number' }),
    durationMs: integer(),
    firstTextMs: integer(),
  },
  (t) => [index('usage_calls_user').on(t.userId)],
)

/** No foreign keys below: what was spent stays counted when runs, prompts, chains or accounts go. User 0 is everyone. */
const whose = () => integer().notNull()

export const usageSlots = pgTable(
  'usage_slots',
  {
    userId: whose(),
    at: at().notNull(),
    completed: integer().notNull(),
    failed: integer().notNull(),
    cancelled: integer().notNull(),
    inputTokens: total(),
    outputTokens: total(),
    cachedTokens: total(),
    costNanos: total(),
    savedNanos: total(),
    uncounted: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.at] })],
)

/** How long runs took, and their first text, as histograms: four buckets each time it doubles. */
export const usageTimes = pgTable(
  'usage_times',
  {
    userId: whose(),
    at: at().notNull(),
    measure: text().$type<'whole' | 'firstText'>().notNull(),
    bucket: smallint().notNull(),
    runs: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.at, t.measure, t.bucket] })],
)

/** By model, reason, prompt, chain and person: per UTC day, and per quarter of an hour for days that begin elsewhere. */
export const usageItems = pgTable(
  'usage_items',
  {
    userId: whose(),
    grain: text().$type<'day' | 'slot'>().notNull(),
    at: at().notNull(),
    dimension: text().$type<'model' | 'reason' | 'prompt' | 'chain' | 'person' | 'source'>().notNull(),
    key: text().notNull(),
    runs: integer().notNull(),
    costNanos: total(),
    uncounted: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.grain, t.at, t.dimension, t.key] })],
)
