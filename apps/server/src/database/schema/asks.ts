import type {
  AskChoice,
  AskedCall,
  AskRole,
  AskStatus,
  InputSegment,
  UnsureCall,
  ValueOrigin,
} from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { at, belongsTo, createdAt, primaryId } from './columns.ts'
import { runs } from './runs.ts'
import { users } from './users.ts'

export interface ShownCall extends AskedCall {
  /** Of the chain’s step. */
  stepId: number
  /** The outputs in it that are not known before the answer. */
  unknown: string[]
}

/** What a step of a run asks people; the run waits while it is open. */
export const asks = pgTable(
  'asks',
  {
    id: primaryId(),
    executionId: belongsTo(() => runs.id),
    /** The attempt that waits for it: a run that is resumed asks anew. */
    attempt: integer().notNull(),
    position: integer().notNull(),
    title: text().notNull(),
    /** Whose run it is. */
    userId: belongsTo(() => users.id),
    chainId: belongsTo(() => chains.id),
    question: text().notNull(),
    text: text().notNull(),
    editable: boolean().notNull(),
    /** Whom the step names, by id, as they were when it was asked; what is written of them is in `asked`. */
    people: integer().array().notNull(),
    groups: integer().array().notNull(),
    role: text().$type<AskRole>(),
    asked: jsonb().$type<{ people: string[]; groups: string[] }>().notNull(),
    notTheRunner: boolean().notNull(),
    choices: jsonb().$type<AskChoice[]>().notNull(),
    onDeadline: text().notNull(),
    status: text().$type<AskStatus>().notNull().default('open'),
    createdAt: createdAt(),
    deadline: at().notNull(),
    decision: text(),
    givenText: text(),
    reason: text(),
    /** What the step's row gets once it is closed. */
    input: jsonb()
      .$type<{ outputName: string; segments: InputSegment[]; resolved: Record<string, ValueOrigin> }>()
      .notNull(),
    /** What later steps send once it is answered, as far as it is known; null: it was asked before that was kept. */
    calls: jsonb().$type<ShownCall[]>(),
    /** Of a call of which nobody knows whether it happened, for its runner to say; null: what a step of kind ask asks. */
    unsure: jsonb().$type<UnsureCall>(),
    answeredBy: integer().references(() => users.id, { onDelete: 'set null' }),
    closedAt: at(),
  },
  (t) => [
    index('asks_run').on(t.executionId),
    index('asks_open').on(t.chainId).where(sql`${t.status} = 'open'`),
    index('asks_chain').on(t.chainId).where(sql`${t.role} is not null`),
    index('asks_user').on(t.userId, t.id.desc()),
    index('asks_people').using('gin', t.people),
    index('asks_groups').using('gin', t.groups),
    index('asks_answered_by').on(t.answeredBy),
  ],
)

/** Where a person last allowed the private values of their runs of a chain to go (D89). */
export const runSends = pgTable(
  'run_sends',
  {
    userId: belongsTo(() => users.id),
    chainId: belongsTo(() => chains.id),
    destinations: text().array().notNull(),
    confirmedAt: at().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.chainId] }), index('run_sends_chain').on(t.chainId)],
)
