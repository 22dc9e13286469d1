import type { OccurrenceState, RecurringType } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { at, belongsTo, createdAt, fills, orderedText, primaryId, sends, updatedAt } from './columns.ts'
import { users } from './users.ts'
import { chainLabels } from './version-labels.ts'

export const scheduledRuns = pgTable(
  'scheduled_runs',
  {
    id: primaryId(),
    chainId: belongsTo(() => chains.id),
    createdBy: belongsTo(() => users.id),
    name: text().notNull(),
    chainLabel: orderedText(),
    input: text().notNull().default(''),
    scheduledTime: at().notNull(),
    timeZone: text().notNull(),
    isRecurring: boolean().notNull().default(false),
    recurringType: text().$type<RecurringType>(),
    recurringDaysOfWeek: jsonb().$type<number[]>().notNull().default([]),
    recurringDayOfMonth: integer(),
    cron: text(),
    emailRecipients: jsonb().$type<string[]>().notNull().default([]),
    mailsSkipped: boolean().notNull().default(false),
    failuresBeforePause: integer(),
    failuresInRow: integer().notNull().default(0),
    active: boolean().notNull().default(true),
    pausedReason: text(),
    fills: fills(),
    sends: sends(),
    /** A job waits for it; null: nothing is planned. */
    nextDueAt: at(),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('scheduled_runs_chain').on(t.chainId),
    foreignKey({
      name: 'scheduled_runs_label',
      columns: [t.chainId, t.chainLabel],
      foreignColumns: [chainLabels.recordId, chainLabels.label],
    }),
    index('scheduled_runs_creator').on(t.createdBy),
    index('scheduled_runs_due').on(t.nextDueAt).where(sql`${t.active}`),
  ],
)

/** One row for each due time of a schedule: it starts at most once (D36). */
export const scheduledOccurrences = pgTable(
  'scheduled_occurrences',
  {
    id: primaryId(),
    scheduledRunId: belongsTo(() => scheduledRuns.id),
    dueAt: at().notNull(),
    isManual: boolean().notNull().default(false),
    state: text().$type<OccurrenceState>().notNull(),
    /** Its run has waited for a person: it holds up no other. */
    waits: boolean().notNull().default(false),
    reason: text(),
    /** Reserved before the run exists, so that it is started once; the run may be gone. */
    executionId: integer(),
    startedAt: at(),
    /** Which end of its run was handled: a resumed run ends again. */
    endedAttempt: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    unique('scheduled_occurrences_due').on(t.scheduledRunId, t.dueAt),
    uniqueIndex('scheduled_occurrences_under_way')
      .on(t.scheduledRunId)
      .where(sql`${t.state} in ('pending', 'running') and not ${t.waits}`),
    index('scheduled_occurrences_waiting')
      .on(t.scheduledRunId)
      .where(sql`${t.waits} and ${t.state} = 'running'`),
    index('scheduled_occurrences_created').on(t.createdAt),
  ],
)
