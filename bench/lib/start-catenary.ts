import { buildApp } from '../../apps/server/src/app.ts'
import { createLog } from '../../apps/server/src/platform/log/log.ts'
import { createModels } from '../../apps/server/src/platform/models/models.ts'
import { loadSecretKeys } from '../../apps/server/src/platform/secrets/secret-key.ts'
import { readSettings } from '../../apps/server/src/platform/settings/settings.ts'
import { createApi } from '../../e2e/harness/api.ts'
import type { BenchDatabase } from './library.ts'

/** The program in this process, listening on a port, and its first person signed in. */
export async function startCatenary({ database }: BenchDatabase) {
  const options = {
    LOG_LEVEL: 'warn',
    SECRET_KEY: 'a key for benches, longer than 32 characters',
    QUOTAS: '{"prompts": 1000000, "text": 10000000000, "writes": 1000000, "reads": 1000000}',
  }
  const settings = readSettings(options, { directory: '/nowhere' })
  const log = createLog({ level: settings.logLevel })
  const models = createModels({ settings: settings.models, log })
  const keys = await loadSecretKeys({ ...settings, isMissed: async () => false })
  const app = await buildApp({ settings: { ...settings, ...keys }, database, models, log })
  await app.start()
  const url = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const api = createApi(url)
  const account = { username: 'bench', email: 'bench@example.org', password: 'bench bench bench' }
  await api.post('/api/register', account)
  const cookie = api.cookies().map(({ name, value }) => `${name}=${value}`)
  const close = async () => {
    await app.close()
    await models.close()
  }
  return { url, api, cookie: cookie.join('; '), close }
}
