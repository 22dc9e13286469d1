import pg from 'pg'

/** A connection of the test's own to a PostgreSQL; one that is cut ends without more ado. */
export async function connectTo(connectionString: string, { timeoutMs = 5_000 } = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: timeoutMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

export type TestConnection = Awaited<ReturnType<typeof connectTo>>
