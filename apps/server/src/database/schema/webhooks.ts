import type { WebhookDeliveryState, WebhookEventType, WebhookTry } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { at, belongsTo, createdAt, primaryId, updatedAt } from './columns.ts'
import { users } from './users.ts'

export const webhooks = pgTable(
  'webhooks',
  {
    id: primaryId(),
    userId: belongsTo(() => users.id),
    url: text().notNull(),
    events: text().array().$type<WebhookEventType[]>().notNull(),
    sendsTexts: boolean().notNull().default(false),
    isActive: boolean().notNull().default(true),
    offReason: text().$type<'failing' | 'gone'>(),
    /** AES-256-GCM, bound to id and owner. */
    sealedSecret: text().notNull(),
    /** Those before, bound likewise: until when each of them signs too → the secret. */
    sealedFormers: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Since when no try went well, and when the last of them failed. */
    failingSince: at(),
    failedAt: at(),
    leftOutAt: at(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('webhooks_user').on(t.userId)],
)

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: primaryId(),
    webhookId: belongsTo(() => webhooks.id),
    /** What happened: told twice, it is one delivery. */
    key: text().notNull(),
    /** What it happened to: of its deliveries one is sent at a time, in the order of their ids. */
    object: text().notNull(),
    messageId: text().notNull(),
    type: text().notNull(),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    state: text().$type<WebhookDeliveryState>().notNull().default('waiting'),
    tries: jsonb().$type<WebhookTry[]>().notNull().default([]),
    tryCount: integer().notNull().default(0),
    /** Null: it waits behind another of its object, or has ended. */
    nextTryAt: at(),
    answer: text(),
    createdAt: at().notNull(),
    endedAt: at(),
  },
  (t) => [
    unique('webhook_deliveries_key').on(t.webhookId, t.key),
    index('webhook_deliveries_newest').on(t.webhookId, t.id),
    index('webhook_deliveries_waiting').on(t.webhookId, t.object, t.id).where(sql`${t.state} = 'waiting'`),
    index('webhook_deliveries_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
  ],
)
