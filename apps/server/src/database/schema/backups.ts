import type { BackupDrill, BackupReason } from '@catenary/contracts'
import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { at, primaryId } from './columns.ts'

export const backups = pgTable(
  'backups',
  {
    id: primaryId(),
    name: text().unique(),
    takenAt: at().notNull(),
    reason: text().$type<BackupReason>().notNull(),
    /** `deleted`: by a person, or for its age. */
    state: text().$type<'kept' | 'failed' | 'gone' | 'deleted'>().notNull(),
    bytes: bigint({ mode: 'number' }),
    program: text().notNull(),
    schema: integer(),
    rows: bigint({ mode: 'number' }),
    problem: text(),
    /** The end of what the command wrote, or each reason below the first. */
    log: text(),
    drill: jsonb().$type<BackupDrill>(),
  },
  (t) => [index('backups_taken').on(t.takenAt)],
)
