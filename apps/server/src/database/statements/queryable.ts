import type pg from 'pg'

/** What runs a query: a connection, or a pool of them. */
export interface Queryable {
  query: (text: string) => Promise<pg.QueryResult>
}
