import type pg from 'pg'

export interface Queryable {
  query: (text: string) => Promise<pg.QueryResult>
}
