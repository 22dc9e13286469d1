import { bigint, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt, primaryId, updatedAt } from './columns.ts'
import { users } from './users.ts'

export const settings = pgTable('settings', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: updatedAt(),
})

export const idempotencyStatus = pgEnum('idempotency_status', ['running', 'done'])

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    id: primaryId(),
    /** The owner of the key: a user, or a visitor's address. */
    actor: text().notNull(),
    key: text().notNull(),
    /** SHA-256 of method, path and body. */
    fingerprint: text().notNull(),
    status: idempotencyStatus().notNull().default('running'),
    replyStatus: integer(),
    replyType: text(),
    replyBody: text(),
    /** A running call whose process is gone may be taken over after this. */
    lockedUntil: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('idempotency_keys_actor_key').on(t.actor, t.key),
    index('idempotency_keys_created').on(t.createdAt),
  ],
)

/** Empty: what the version before writes here, while it runs beside this one, a trigger brings into `activity`. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: primaryId(),
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    action: text().notNull(),
    objectType: text(),
    objectId: integer(),
    details: jsonb(),
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_events_object').on(t.objectType, t.objectId),
    index('audit_events_created').on(t.createdAt),
  ],
)

/** The processes of this database, each as it told of itself last. Only `database/statements/process-rows` reads and writes it. */
export const processes = pgTable('processes', {
  id: text().primaryKey(),
  role: text().$type<'all' | 'web' | 'worker'>().notNull(),
  version: text().notNull(),
  host: text().notNull(),
  startedAt: createdAt(),
  beatAt: createdAt(),
  runs: integer().notNull().default(0),
  jobs: integer().notNull().default(0),
  poolSize: integer().notNull(),
})

/**
 * What was counted in the minutes that go on, for all processes of a server; only `database/statements/window-counts` reads and writes it.
 * Its migration makes it unlogged: empty after a crash or a promotion, and unreadable on a standby.
 */
export const rateWindows = pgTable('rate_windows', {
  key: text().primaryKey(),
  endsAt: at().notNull(),
  count: bigint({ mode: 'number' }).notNull(),
})
