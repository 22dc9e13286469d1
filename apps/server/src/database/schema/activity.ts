import type {
  ActivityDoor,
  ActivityFields,
  ActivityKind,
  ActivityObject,
  RefusedKind,
} from '@catenary/contracts'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, orderedText, primaryId } from './columns.ts'

/**
 * Who did what to what. Triggers refuse to change a row or to delete one, so ids of people and records are no foreign keys:
 * these outlive what they name.
 */
export const activity = pgTable(
  'activity',
  {
    id: primaryId(),
    at: createdAt(),
    personId: integer(),
    kind: orderedText().$type<ActivityKind | RefusedKind>().notNull(),
    objectType: text().$type<ActivityObject>().notNull(),
    objectId: integer(),
    /** Whose it was at that time. */
    ownerId: integer(),
    /** Null of the time before doors were written down. */
    door: text().$type<ActivityDoor>(),
    address: text(),
    before: jsonb().$type<ActivityFields>(),
    after: jsonb().$type<ActivityFields>(),
    /** How often, of refusals that are alike. */
    count: integer().notNull().default(1),
  },
  (t) => [
    index('activity_at').on(t.at),
    index('activity_person').on(t.personId, t.id),
    index('activity_owner').on(t.ownerId, t.id),
    index('activity_object').on(t.objectType, t.objectId, t.id),
    index('activity_kind').on(t.kind, t.id),
  ],
)

/**
 * The chain over the rows of the activity: each link is the hash of its row and of the link before. Of a day whose rows
 * were deleted as too old, the last link stays.
 */
export const activityLinks = pgTable(
  'activity_links',
  {
    number: integer().primaryKey(),
    activityId: integer().notNull(),
    /** In UTC, such as 2026-11-22: that of its row, and never before that of the link before. */
    day: orderedText().notNull(),
    hash: text().notNull(),
  },
  (t) => [uniqueIndex('activity_links_activity').on(t.activityId), index('activity_links_day').on(t.day)],
)
