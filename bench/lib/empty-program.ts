import { createRequire } from 'node:module'
import { join } from 'node:path'

interface Database {
  query(sql: string): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}
interface Server {
  get(path: string, handler: () => unknown): void
  listen(options: { host: string; port: number }): Promise<string>
}

// Both belong to the server's packages.
const serverPackage = createRequire(new URL('../../apps/server/package.json', import.meta.url))
const { PGlite } = serverPackage('@electric-sql/pglite') as {
  PGlite: { create(path: string): Promise<Database> }
}
const { fastify } = serverPackage('fastify') as { fastify: () => Server }

// The floor of a start: a web server and the embedded database as they come, and nothing else.
const { DATA_DIR = '', PORT } = process.env
const database = await PGlite.create(join(DATA_DIR, 'database'))
const app = fastify()
app.get('/api/categories', async () => (await database.query('select 1 as id')).rows)
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
process.once('SIGTERM', () => void database.close().then(() => process.exit(0)))
