import { getTableColumns } from 'drizzle-orm'
import { usages } from '../schema/index.ts'

const { userId: _, ...counters } = getTableColumns(usages)

/** What a person keeps, of each thing that is bounded. */
export const usageColumns = counters
