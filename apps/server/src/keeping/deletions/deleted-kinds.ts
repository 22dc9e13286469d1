import { getTableName } from 'drizzle-orm'
import { TABLE_RECORDS, TABLES, type TableName } from '../../database/schema/table-records.ts'

export const DELETED_KINDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(TABLE_RECORDS).flatMap(([name, { noted }]) =>
    noted === undefined ? [] : [[getTableName(TABLES[name as TableName]), noted]],
  ),
)

export const isTime = (column: string): boolean => column.endsWith('_at')
