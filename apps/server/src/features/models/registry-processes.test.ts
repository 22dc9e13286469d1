import type { ModelStatus } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { createModels } from '../../platform/models/models.ts'
import { startApp, type TestApp } from '../../testing/harness.ts'
import { MODELS, type RegistryLibrary, startRegistryLibrary } from '../../testing/registry.ts'

/** The process in which an admin works, and another on the same database with models of its own. */
let library: RegistryLibrary
let elsewhere: TestApp
let database: DatabaseClient
beforeAll(async () => {
  library = await startRegistryLibrary('server')
  const databaseUrl = String(library.client.pool.options.connectionString)
  database = await openDatabase({ databaseUrl, dataDir: '', fsync: true })
  const models = createModels({ settings: { sandbox: 'off' }, log: { warn: () => undefined } })
  elsewhere = await startApp({ database: { client: database }, models })
  await database.rowChanges.listen()
})
afterAll(async () => {
  await elsewhere.close()
  await database.close()
  await library.close()
})

const aliasesElsewhere = async (): Promise<string[]> => {
  const reply = await elsewhere.request({ url: '/api/models' })
  return (reply.body as ModelStatus[]).map(({ alias }) => alias)
}

test('A change of the registry is seen by every process.', async () => {
  expect(await aliasesElsewhere()).toEqual([])
  const { id, alias } = await library.addModel()
  await vi.waitFor(async () => expect(await aliasesElsewhere()).toEqual([alias]))
  const { id: promptId } = await library.createPrompt(library.owner, { content: 'Hello' })
  const body = { promptId, model: alias }
  const url = '/api/execute-prompt'
  const reply = await elsewhere.request({ method: 'POST', url, body, as: library.owner })
  expect([reply.status, reply.body]).toMatchObject([200, { model: alias }])
  await library.need('PATCH', `${MODELS}/${id}`, { isForEveryone: false })
  await vi.waitFor(async () => expect(await aliasesElsewhere()).toEqual([]))
  expect((await elsewhere.request({ method: 'POST', url, body, as: library.owner })).status).toBe(403)
  await library.need('PATCH', `${MODELS}/${id}`, { isForEveryone: true })
  await vi.waitFor(async () => expect(await aliasesElsewhere()).toEqual([alias]))
  await library.need('DELETE', `${MODELS}/${id}`)
  await vi.waitFor(async () => expect(await aliasesElsewhere()).toEqual([]))
})
