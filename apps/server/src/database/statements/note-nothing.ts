/**
 * In SQL: true, and nothing that is deleted in the rest of the transaction is noted. For what the program deletes by
 * itself, or with what was noted: once it is restored it goes the same way again.
 */
export const NOTE_NOTHING = `set_config('catenary.unnoted', 'on', true) = 'on'`
