/** How long a run counts as alive without a sign from its process, by the database's clock. */
export const LEASE_SECONDS = 30
