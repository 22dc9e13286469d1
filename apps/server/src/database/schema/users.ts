import type { NotificationFields, Quotas } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, belongsTo, createdAt, primaryId, updatedAt } from './columns.ts'

const serial = () => integer().primaryKey().generatedByDefaultAsIdentity()

/** `name`, `emailVerified`, `image`, `displayUsername` and `ban*` are better-auth's. A disabled account is a banned one. */
export const users = pgTable(
  'users',
  {
    id: serial(),
    name: text().notNull(),
    email: text().notNull().unique(),
    emailVerified: boolean().notNull().default(false),
    image: text(),
    /** As it is compared; `displayUsername` is as it was entered. */
    username: text().notNull().unique(),
    displayUsername: text().notNull(),
    role: text().notNull().default('user'),
    banned: boolean().notNull().default(false),
    banReason: text(),
    banExpires: at(),
    theme: text().notNull().default('system'),
    timeZone: text(),
    /** An alias, with which screens begin where no model is set. */
    defaultModel: text(),
    /** What differs from what is usual. */
    notifications: jsonb().$type<NotificationFields>().notNull().default({}),
    firstStepsEndedAt: at(),
    quotas: jsonb().$type<Partial<Quotas>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  // For the version before, though `username` is in lower case. Dropped a version later.
  (t) => [uniqueIndex('users_username_lower').on(sql`lower(${t.username})`)],
)

export const sessions = pgTable(
  'sessions',
  {
    id: serial(),
    userId: belongsTo(() => users.id),
    token: text().notNull().unique(),
    expiresAt: at().notNull(),
    ipAddress: text(),
    userAgent: text(),
    impersonatedBy: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expires').on(t.expiresAt)],
)

export const accounts = pgTable(
  'accounts',
  {
    id: serial(),
    userId: belongsTo(() => users.id),
    accountId: text().notNull(),
    providerId: text().notNull(),
    password: text(),
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: at(),
    refreshTokenExpiresAt: at(),
    scope: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('accounts_user').on(t.userId),
    uniqueIndex('accounts_provider').on(t.providerId, t.accountId),
  ],
)

export const verifications = pgTable(
  'verifications',
  {
    id: serial(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: at().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('verifications_identifier').on(t.identifier)],
)

export const accountAttemptKind = pgEnum('account_attempt_kind', ['sign-in', 'registration'])

export const accountAttempts = pgTable(
  'account_attempts',
  {
    id: primaryId(),
    kind: accountAttemptKind().notNull(),
    username: text().notNull(),
    network: text().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [
    index('account_attempts_subject').on(t.kind, t.network, t.username, t.createdAt),
    index('account_attempts_created').on(t.createdAt),
  ],
)
