import { integer, timestamp } from 'drizzle-orm/pg-core'

/** Primary key: 32-bit, never reused. */
export const primaryId = () => integer().primaryKey().generatedAlwaysAsIdentity()

export const at = () => timestamp({ withTimezone: true, mode: 'date', precision: 3 })
export const createdAt = () => at().notNull().defaultNow()
export const updatedAt = () => at().notNull().defaultNow()
