/**
 * Tables of the processes that run and the minute that goes on: in no copy and no move, as they would tell of processes
 * that are elsewhere, and written in a database that was moved away too.
 */
const FLEETING_TABLES = ['processes', 'rate_windows']

export const fleetingInSql = FLEETING_TABLES.map((name) => `'${name}'`).join(', ')
