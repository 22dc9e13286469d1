import type { BackupDrill, BackupReason } from '@catenary/contracts'
import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { at, primaryId } from './columns.ts'

/** Each copy that was made or tried. Which files there are, their folder alone says. */
export const backups = pgTable(
  'backups',
  {
    id: primaryId(),
    /** Of its file in the folder; null where none came of it. */
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
