import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { MODELS, PROVIDERS, type RegistryLibrary, startRegistryLibrary } from '../../testing/registry.ts'

const KEY = 'sk-canary-provider-key-1a2b'
const NEW_KEY = 'sk-canary-provider-key-3c4d'

let library: RegistryLibrary
let logged = ''
beforeAll(async () => {
  const destination = {
    write: (line: string) => {
      logged += line
    },
  }
  const log = createLog({ level: 'trace', destination })
  library = await startRegistryLibrary('embedded', {}, {}, { log })
})
afterAll(() => library.close())

test('No key of a provider is logged.', async () => {
  const provider = await library.addProvider({ apiKey: KEY, baseUrl: library.fake.url })
  const { alias } = await library.addModel({}, provider)
  library.fake.reply(
    { status: 401, message: `Incorrect API key provided: ${KEY}` },
    { status: 500, message: KEY },
  )
  for (const _ of [1, 2]) await library.run(alias)
  await library.send('POST', `${MODELS}/${alias}/test`)
  const url = `${PROVIDERS}/${provider.id}`
  await library.need('PATCH', url, { apiKey: NEW_KEY })
  expect((await library.send('PATCH', url, { apiKey: NEW_KEY, baseUrl: 'no address' })).status).toBe(400)
  expect((await library.send('POST', PROVIDERS, { apiKey: KEY, name: '' })).status).toBe(400)
  expect(logged).toContain(PROVIDERS)
  expect(logged).not.toContain('sk-canary')
})
