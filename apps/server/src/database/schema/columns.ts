import type { Fill, FinishReason, KeptSend, NamedBy } from '@catenary/contracts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type AnyPgColumn, customType, integer, jsonb, text, timestamp } from 'drizzle-orm/pg-core'

/** Primary key: 32-bit, never reused. */
export const primaryId = () => integer().primaryKey().generatedAlwaysAsIdentity()

/** The id of what a row belongs to: deleting that deletes the row too. Without a name the column has that of its field. */
export const belongsTo = (id: () => AnyPgColumn, name = '') =>
  integer(name).notNull().references(id, { onDelete: 'cascade' })

export const at = () => timestamp({ withTimezone: true, mode: 'date', precision: 3 })
export const createdAt = () => at().notNull().defaultNow()
export const updatedAt = () => at().notNull().defaultNow()

/** Text that is ordered by its code points, alike on every database. */
export const orderedText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

/** Begins what the program writes into a column that it derives from others; a trigger takes it away again. */
const WRITTEN = '\u0002'

/**
 * What the program derives from other columns of the row, as databases would differ in it. A statement that writes those
 * alone leaves it null, by a trigger: a program that does not know it makes it missing, never wrong.
 */
export const derivedText = customType<{ data: string }>({
  dataType: () => 'text collate "C"',
  toDriver: (text) => WRITTEN + text,
})

/** In lower case, of a name that has ASCII letters alone: alike on every database. */
export const asciiKey = (name: SQLWrapper): SQL => sql`lower(${name} collate "C")`

/** By code points, alike on every database: locales order signs and capitals in their own ways. */
export const byLetters = (text: SQLWrapper): SQL => sql`${text} collate "C"`

/** An end that is not known is kept as `other`, as versions before knew it: they read the same rows during an upgrade. */
const toKeptReason = (reason: FinishReason): KeptReason => (reason === 'unknown' ? 'other' : reason)
/** A row as a statement writes it that is not of the query builder. */
export type KeptRow<Row> = Omit<Row, 'finishReason'> & { finishReason?: KeptReason }
export const toKeptRow = <Row extends { finishReason?: FinishReason | undefined }>({
  finishReason,
  ...row
}: Row): KeptRow<Row> => ({
  ...row,
  ...(finishReason !== undefined && { finishReason: toKeptReason(finishReason) }),
})
type KeptReason = Exclude<FinishReason, 'unknown'> | 'other'
const fromKeptReason = (kept: KeptReason): FinishReason => (kept === 'other' ? 'unknown' : kept)

/** Why a model stopped. Statements that are not of the query builder write the kept form by themselves. */
export const finishReasonColumn = customType<{ data: FinishReason; driverData: KeptReason }>({
  dataType: () => 'text',
  toDriver: toKeptReason,
  fromDriver: fromKeptReason,
})

export const byteString = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** Characters of a text column, kept beside it: to count them in a long text takes milliseconds. */
export const lengthOf = (column: string) => integer().generatedAlwaysAs(sql.raw(`char_length("${column}")`))

/** The names that the references of a row's texts have, in lower case, kept beside them: to find them in a long text takes a second. */
export const referenceNamesOf = (texts: string) =>
  text()
    .array()
    .notNull()
    .generatedAlwaysAs(sql.raw(`reference_names(${texts})`))

export const namedBy = () => jsonb().$type<NamedBy>().notNull().default({})

export const fills = () => jsonb().$type<Fill[]>().notNull().default([])

export const sends = () => jsonb().$type<KeptSend[]>().notNull().default([])

/** A trigger derives it from the row's name and adds it to the names of its kind, where it is unique among the owner's. */
export const generatedSlug = () => text().notNull().default('')
