import { boolean, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { at, createdAt, primaryId, updatedAt } from './columns.ts'
import { executions } from './executions.ts'
import { users } from './users.ts'

export const recurringType = pgEnum('recurring_type', ['daily', 'weekly', 'monthly'])
export const emailStatus = pgEnum('email_status', ['pending', 'sent', 'failed'])
export const scheduledRunStatus = pgEnum('scheduled_run_status', [
  'pending',
  'running',
  'completed',
  'failed',
])
export const occurrenceStatus = pgEnum('occurrence_status', [
  'running',
  'completed',
  'failed',
  'missed',
  'skipped',
])

export const scheduledRuns = pgTable(
  'scheduled_runs',
  {
    id: primaryId(),
    chainId: integer()
      .notNull()
      .references(() => chains.id, { onDelete: 'cascade' }),
    createdBy: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull().default(''),
    scheduledTime: at().notNull(),
    timeZone: text().notNull().default('UTC'),
    isRecurring: boolean().notNull().default(false),
    recurringType: recurringType(),
    recurringDaysOfWeek: jsonb().$type<number[]>().notNull().default([]),
    recurringDayOfMonth: integer(),
    emailRecipients: jsonb().$type<string[]>().notNull().default([]),
    active: boolean().notNull().default(true),
    status: scheduledRunStatus().notNull().default('pending'),
    emailStatus: emailStatus(),
    emailError: text(),
    nextDueAt: at(),
    lastRunAt: at(),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('scheduled_runs_chain').on(t.chainId), index('scheduled_runs_due').on(t.active, t.nextDueAt)],
)

/** One row for each due time of a schedule: it starts at most once (D36). */
export const scheduledOccurrences = pgTable(
  'scheduled_occurrences',
  {
    id: primaryId(),
    scheduledRunId: integer()
      .notNull()
      .references(() => scheduledRuns.id, { onDelete: 'cascade' }),
    dueAt: at().notNull(),
    status: occurrenceStatus().notNull(),
    executionId: integer().references(() => executions.id, { onDelete: 'set null' }),
    emailStatus: emailStatus(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('scheduled_occurrences_due').on(t.scheduledRunId, t.dueAt),
    index('scheduled_occurrences_execution').on(t.executionId),
  ],
)
