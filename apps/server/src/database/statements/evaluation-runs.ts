import { ne } from 'drizzle-orm'
import { runs } from '../schema/index.ts'

/** Leaves evaluation cells out of what people ran: their evaluation shows them. */
export const isNotCell = ne(runs.trigger, 'evaluation')
