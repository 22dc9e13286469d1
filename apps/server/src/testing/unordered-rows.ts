import pg from 'pg'

interface RunningQuery {
  text?: unknown
  _results: pg.QueryResult | pg.QueryResult[]
  handleReadyForQuery(connection: unknown): void
}

const { prototype } = (pg as unknown as { Query: { prototype: RunningQuery } }).Query
const { handleReadyForQuery } = prototype

/**
 * Turns round the rows of each statement that names no order, of tests and of what they test: PostgreSQL promises none, and
 * gives another once rows were deleted, so that whoever counts on one fails now and then.
 */
// Each test file of a worker comes by here.
if (handleReadyForQuery.name !== 'handleTurnedRows') {
  prototype.handleReadyForQuery = function handleTurnedRows(connection) {
    if (typeof this.text === 'string' && hasNoOrder(this.text))
      for (const { rows } of [this._results].flat()) rows.reverse()
    handleReadyForQuery.call(this, connection)
  }
}

function hasNoOrder(text: string): boolean {
  return /^\s*(select|with|update|delete)\b/i.test(text) && !/\border by\b/i.test(text)
}
