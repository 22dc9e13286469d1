import { sql } from 'drizzle-orm'

/** How long a run counts as alive without a sign from its process, by the database's clock. */
const LEASE_SECONDS = 30

export const newLease = sql`now() + make_interval(secs => ${LEASE_SECONDS})`
