import pg from 'pg'

/** A connection that prepares no statement under a name, for a pooler that forgets names between transactions. */
export class UnnamedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const send = this.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((query: unknown, ...rest: unknown[]) =>
      send(withoutName(query), ...rest)) as pg.Client['query']
  }
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query) || 'submit' in query) return query
  return { ...query, name: undefined }
}
