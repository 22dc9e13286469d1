import { buildApp } from '../../app.ts'
import { openDatabase } from '../../database/open/client.ts'
import { createLog } from '../../platform/log/log.ts'
import { createModels } from '../../platform/models/models.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { readSettings } from '../../platform/settings/settings.ts'

const PASSWORD = 'correct horse battery'

/** The whole program outside of the test runner, on a migrated database and with this guard. */
export async function startProduct({
  dataDir,
  outbound,
  environment = {},
}: {
  dataDir: string
  outbound: Outbound
  environment?: NodeJS.ProcessEnv
}) {
  const log = createLog({ level: 'silent' })
  const settings = {
    ...readSettings({ PUBLIC_URL: 'http://localhost', RUNS_PER_MINUTE: '1000', ...environment }),
    secretKey: 'a-key-for-tests-of-more-than-32-characters',
  }
  const database = await openDatabase({ dataDir, fsync: false })
  const models = createModels({ settings: settings.models, log, sandboxChunkDelayMs: 0 })
  const app = await buildApp({ settings, database, models, log, outbound })
  await app.start()

  async function ask(request: { method: 'GET' | 'POST'; url: string; body?: unknown; cookie?: string }) {
    const { method, url, body, cookie = '' } = request
    const reply = await app.http.inject({
      ...{ method, url, headers: { cookie, 'sec-fetch-site': 'same-origin' } },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const isJson = String(reply.headers['content-type']).startsWith('application/json')
    return {
      status: reply.statusCode,
      text: reply.body,
      body: isJson ? (reply.json() as unknown) : undefined,
      reply,
    }
  }

  return {
    /** A new account, signed in. */
    register: async (username: string) => {
      const body = { username, email: `${username}@example.org`, password: PASSWORD }
      const { reply } = await ask({ method: 'POST', url: '/api/register', body })
      const cookie = [reply.headers['set-cookie'] ?? []]
        .flat()
        .map((line) => line.split(';', 1)[0])
        .join('; ')
      return {
        get: (url: string) => ask({ method: 'GET', url, cookie }),
        tryPost: (url: string, body: unknown) => ask({ method: 'POST', url, body, cookie }),
        post: async <T>(url: string, payload: unknown): Promise<T> => {
          const { status, text, body: answer } = await ask({ method: 'POST', url, body: payload, cookie })
          if (status >= 300) throw new Error(`${url} ${JSON.stringify(payload)}: ${status} ${text}`)
          return answer as T
        },
      }
    },
    close: async () => {
      await app.close()
      await models.close()
      await database.close()
    },
  }
}
