import { ne } from 'drizzle-orm'
import { executions } from './schema/index.ts'

/** Cells of evaluations stay out of what people ran: their evaluation shows them. */
export const isNoCell = ne(executions.trigger, 'evaluation')
