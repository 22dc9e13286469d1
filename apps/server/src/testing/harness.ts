import path from 'node:path'
import {
  QUOTA_NAMES,
  QUOTAS,
  type RegisterRequest,
  type Role,
  UNLIMITED,
  type User,
} from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { type AppDeps, buildApp } from '../app.ts'
import type { DatabaseClient } from '../database/open/client.ts'
import { users } from '../database/schema/index.ts'
import { createLog } from '../platform/log/log.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { createModels } from '../platform/models/models.ts'
import { readSettings, type Settings } from '../platform/settings/settings.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { TEST_PASSWORD } from './test-password.ts'

const WIDER = 1000
/** Suites fill libraries with more than a person may keep, and write faster. */
const WIDE = Object.fromEntries(
  QUOTA_NAMES.map((quota) => [quota, Math.min(QUOTAS[quota].usual * WIDER, UNLIMITED)]),
)

export const TEST_SECRET_KEY = 'a-key-for-tests-of-more-than-32-characters'

type StartOptions = Partial<Omit<AppDeps, 'settings' | 'database'>> & {
  kind?: DatabaseClient['kind']
  /** One that the test opened and closes, for several apps on the same data; else a new one. */
  database?: Pick<TestDatabase, 'client'>
  settings?: Partial<Settings>
}

export interface TestUser {
  user: User
  password: string
  /** What a signed-in browser sends from our own pages. */
  headers: { cookie: string; 'sec-fetch-site': string }
}

interface TestRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  /** Sent as JSON; a string goes out as it is. */
  body?: unknown
  /** The caller; a guest when absent. */
  as?: TestUser | undefined
  headers?: Record<string, string>
  /** The client's address. */
  from?: string
}

interface TestReply {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  /** `Set-Cookie` values. */
  cookies: string[]
  text: string
  /** The JSON body; undefined for any other. */
  body: unknown
}

export type TestApp = Awaited<ReturnType<typeof startApp>>

/** The whole program but for the listening socket, on an empty database of its own. */
export async function startApp({ kind = 'embedded', database, settings, ...deps }: StartOptions = {}) {
  const own = database === undefined ? await openTestDatabase(kind) : undefined
  const client = (database ?? (own as TestDatabase)).client
  const allSettings = {
    ...readSettings({ LOG_LEVEL: 'silent', PUBLIC_URL: 'http://localhost', QUOTAS: JSON.stringify(WIDE) }),
    dataDir: client.directory === null ? '' : path.dirname(client.directory),
    // Nothing is copied unless a test says where.
    backups: { directory: undefined, time: '03:00', command: undefined },
    ...settings,
    secretKey: settings?.secretKey ?? TEST_SECRET_KEY,
  }
  const log = createLog({ level: 'silent' })
  const app = await buildApp({
    log,
    metrics: allSettings.metrics ? createMetrics() : undefined,
    models: createModels({ settings: allSettings.models, log, sandboxChunkDelayMs: 0 }),
    // Suites let leases run out.
    takeoverWaitMs: 0,
    ...deps,
    settings: allSettings,
    database: client,
  })
  await app.http.ready()

  const request = async ({
    method = 'GET',
    url,
    body,
    as,
    headers,
    from,
  }: TestRequest): Promise<TestReply> => {
    const reply = await app.http.inject({
      method,
      url,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...as?.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(from === undefined ? {} : { remoteAddress: from }),
    })
    const isJson = /^application\/json(;|$)/.test(String(reply.headers['content-type']))
    return {
      status: reply.statusCode,
      headers: reply.headers,
      cookies: [reply.headers['set-cookie'] ?? []].flat(),
      text: reply.body,
      body: isJson ? reply.json() : undefined,
    }
  }

  let registrations = 0
  return {
    app,
    http: app.http,
    ctx: app.ctx,
    client,
    db: client.db,
    settings: allSettings,
    request,

    /** A new account, signed in; `role` is as given, even for the first account. */
    registerUser: async ({ role = 'user', ...account }: Partial<RegisterRequest> & { role?: Role } = {}) => {
      registrations += 1
      const username = account.username ?? `user-${registrations}`
      const body = { email: `${username}@example.org`, password: TEST_PASSWORD, ...account, username }
      // An address of its own each, so that the limit on registrations is not met.
      const from = `10.0.${registrations >> 8}.${registrations & 255}`
      const reply = await request({ method: 'POST', url: '/api/register', body, from })
      if (reply.status !== 201) throw new Error(`The account was not created: ${reply.text}`)
      const user = { ...(reply.body as User), role }
      await client.db.update(users).set({ role }).where(eq(users.id, user.id))
      return { user, password: body.password, headers: toBrowserHeaders(reply.cookies) } satisfies TestUser
    },

    close: async () => {
      await app.close()
      await own?.close()
    },
  }
}

/** The headers of a browser that keeps these cookies and asks from our own pages. */
export function toBrowserHeaders(setCookies: string[]): TestUser['headers'] {
  const cookie = setCookies.map((line) => line.split(';', 1)[0]).join('; ')
  return { cookie, 'sec-fetch-site': 'same-origin' }
}
