import { getTableColumns } from 'drizzle-orm'
import { usages } from '../schema/index.ts'

const { userId: _, ...counters } = getTableColumns(usages)

export const usageColumns = counters
