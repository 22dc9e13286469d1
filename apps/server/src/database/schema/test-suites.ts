import type { Assertion, NotRunItem } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { belongsTo, createdAt, primaryId, updatedAt } from './columns.ts'
import { prompts } from './prompts.ts'
import { users } from './users.ts'

export const testSuites = pgTable(
  'test_suites',
  {
    id: primaryId(),
    promptId: integer().references(() => prompts.id, { onDelete: 'cascade' }),
    chainId: integer().references(() => chains.id, { onDelete: 'cascade' }),
    ownerId: belongsTo(() => users.id),
    name: text().notNull(),
    defaultValues: jsonb().$type<Record<string, string>>().notNull().default({}),
    defaultAssertions: jsonb().$type<Assertion[]>().notNull().default([]),
    defaultThreshold: doublePrecision(),
    defaultNotRun: jsonb().$type<NotRunItem[]>().notNull().default([]),
    imported: jsonb().$type<NotRunItem[]>().notNull().default([]),
    bytes: integer().notNull().default(0),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('test_suites_owner').on(t.ownerId),
    index('test_suites_prompt').on(t.promptId).where(sql`${t.promptId} is not null`),
    index('test_suites_chain').on(t.chainId).where(sql`${t.chainId} is not null`),
    check('test_suites_record', sql`num_nonnulls(${t.promptId}, ${t.chainId}) = 1`),
  ],
)

export const testCases = pgTable(
  'test_cases',
  {
    id: primaryId(),
    suiteId: belongsTo(() => testSuites.id),
    ownerId: belongsTo(() => users.id),
    position: integer().notNull(),
    name: text().notNull(),
    input: text().notNull().default(''),
    values: jsonb().$type<Record<string, string>>().notNull().default({}),
    tags: text().array().notNull().default([]),
    assertions: jsonb().$type<Assertion[]>().notNull().default([]),
    threshold: doublePrecision(),
    skipsDefaults: boolean().notNull().default(false),
    /** Null: nothing. */
    given: jsonb().$type<Record<string, string>>(),
    notRun: jsonb().$type<NotRunItem[]>().notNull().default([]),
    bytes: integer().notNull(),
    revision: integer().notNull().default(1),
  },
  (t) => [index('test_cases_order').on(t.suiteId, t.position, t.id), index('test_cases_owner').on(t.ownerId)],
)
