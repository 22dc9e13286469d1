import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { createServerDatabase, openTestDatabase } from '../../testing/database.ts'
import { startDatabaseProxy } from '../../testing/database-proxy.ts'
import { startApp } from '../../testing/harness.ts'
import { openDatabase } from '../open/client.ts'
import { Listener } from '../signals/listener.ts'
import { NotificationProof } from './notification-proof.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Listens where nothing arrives, as through a pooler that lends sessions by transaction. */
async function openWithout() {
  const databaseUrl = await createServerDatabase()
  const databaseDirectUrl = await createServerDatabase()
  const said: string[] = []
  const hear = (_fields: object, message: string) => void said.push(message)
  const log = { info: hear, warn: hear, error: hear }
  const client = await openDatabase({ databaseUrl, databaseDirectUrl, dataDir: '', fsync: false, log })
  closing.push(client.close)
  return { client, said }
}

test('a process that receives no notifications keeps nothing in memory, and says what to set', async () => {
  const { client, said } = await openWithout()
  const app = await startApp({ database: { client } })
  closing.push(app.close)
  await app.app.start()
  expect(client.rowChanges.isListening).toBe(false)
  const ready = await app.request({ url: '/readyz' })
  expect(ready).toMatchObject({
    status: 503,
    body: { error: expect.stringMatching(/^Not ready: listener \(.*Set DATABASE_DIRECT_URL to/) },
  })
  const lines = said.filter((line) => line.includes('DATABASE_DIRECT_URL'))
  expect(lines).toEqual([expect.stringMatching(/no rows are kept in memory, and \/readyz answers 503\.$/)])
})

test('a listening connection that falls silent is found out by the next proof, and a new one proves itself', async () => {
  const databaseUrl = await createServerDatabase()
  const proxy = await startDatabaseProxy(databaseUrl)
  const pool = new pg.Pool({ connectionString: databaseUrl })
  const createClient = () => new pg.Client({ connectionString: proxy.url })
  const listener = new Listener({ createClient, log: undefined })
  const proof = new NotificationProof({
    pool,
    listener,
    way: { hasDirectUrl: false, pooler: 'shared' },
    log: undefined,
    everyMs: 100,
  })
  closing.push(
    () => pool.end(),
    () => proxy.close(),
    () => listener.close(),
    () => proof.close(),
  )
  const verdicts: (string | null)[] = []
  await proof.start(() => verdicts.push(proof.failure()))
  expect(proof.failure()).toBeNull()
  proxy.silence()
  await vi.waitFor(() => expect(verdicts).toEqual([expect.stringContaining('DATABASE_DIRECT_URL')]))
  proxy.cut()
  proxy.mend()
  await vi.waitFor(() => expect(verdicts).toEqual([expect.anything(), null]))
})

test('with one address they arrive, and the embedded database has none to miss', async () => {
  const client = await openDatabase({ databaseUrl: await createServerDatabase(), dataDir: '', fsync: false })
  closing.push(client.close)
  await client.rowChanges.listen()
  expect([client.notifications.failure(), client.rowChanges.isListening]).toEqual([null, true])
  const embedded = await openTestDatabase('embedded')
  closing.push(embedded.close)
  expect([embedded.client.notifications.failure(), embedded.client.access]).toEqual([null, null])
})
