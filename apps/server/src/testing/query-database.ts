import pg from 'pg'

/** One statement as any other program sends it, on a connection of its own; its rows. */
export async function queryDatabase(connectionString: string, text: string): Promise<object[]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
