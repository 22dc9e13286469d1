import { createHmac } from 'node:crypto'
import type { ChainStep } from '@catenary/contracts'
import { eq, getTableName, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accounts, modelProviders, variables } from '../../database/schema/index.ts'
import { openSealedParts } from '../../features/chains/chains.ts'
import { openKey } from '../../features/models/provider-keys.ts'
import { createSecretBox, keyIdOf } from '../../platform/secrets/secret-box.ts'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { type DriveApp, startDrive } from '../../testing/fake-google/start-drive.ts'
import { startApp, type TestApp, type TestUser, toBrowserHeaders } from '../../testing/harness.ts'
import { makeStepTool } from '../../testing/step-tools.ts'
import { reseal, resealInSlices, SEALED } from './reseal.ts'

const EARLIER = 'the-earlier-key-of-more-than-32-characters'
const NEW = 'the-new-key-of-more-than-32-characters-in-all'
const LOST = 'a-key-that-was-lost-of-more-than-32-characters'
const HEADERS = { authorization: 'Bearer canary-header', 'X-Team': 'canary-team' }
const HOUR_MS = 3_600_000
const SLICE = 200
const MANY = 450

/** All sealed values of the database. */
const STORED = sql`
  select value as sealed from variables, jsonb_each_text(api_headers)
  union all select encrypted_value from api_tokens union all select sealed_secret from api_tokens union all select api_key from model_providers
  union all select new_api_key from model_providers union all select access_token from accounts
  union all select refresh_token from accounts union all select reply_body from idempotency_keys
  union all select sealed_secret from webhooks union all select sealed from step_secrets
  union all select value from webhooks, jsonb_each_text(sealed_formers)`

describe.each(databaseKinds)('values that are sealed anew on %s', (kind) => {
  const database = useTestDatabase(kind)
  let app: DriveApp
  let ada: TestUser
  beforeEach(async () => {
    await database.reset()
    app = await startDrive({ database, settings: { secretKey: EARLIER } })
    ada = await app.registerUser({ username: 'Ada', role: 'admin' })
    app.fake.addFiles({ id: 'doc-1', name: 'Terms', mimeType: 'text/plain', content: 'Be kind.' })
  })
  afterEach(() => app.close())

  const rotating = () => ({ db: app.db, secrets: createSecretBox(NEW, EARLIER) })
  const need = async <T>(url: string, body: object, headers: Record<string, string> = {}): Promise<T> => {
    const reply = await app.request({ method: 'POST', url, body, as: ada, headers })
    expect(reply.status, reply.text).toBe(201)
    return reply.body as T
  }
  const addVariable = (name = 'weather') => {
    const variable = { name, type: 'api', apiUrl: 'https://weather.example.org/', apiHeaders: HEADERS }
    return need<{ id: number }>('/api/variables', variable)
  }
  /** The program with the new key alone, and Ada signed in there. */
  const startNew = async () => {
    const other = await startDrive({ database, settings: { google: app.fake.settings, secretKey: NEW } })
    return { other, as: await signIn(other, ada) }
  }
  const headersIn = async (on: TestApp, as: TestUser) => {
    const { body } = await on.request({ url: '/api/variables', as })
    return (body as { apiHeaders: object }[]).map(({ apiHeaders }) => apiHeaders)
  }
  const namedKeys = async () => {
    const { rows } = await app.db.execute<{ key: string }>(
      sql`select distinct split_part(sealed, '.', 2) as key from (${STORED}) as stored where sealed is not null`,
    )
    return rows.map(({ key }) => key)
  }
  const readDoc = (on: DriveApp) =>
    on.readDriveFile({ ownerId: ada.user.id, fileId: 'doc-1', signal: new AbortController().signal })
  const sealedBy = async (secretKey: string) => {
    const { rows } = await app.db.execute<{ sealed: string }>(sql`
      select sealed from (${STORED}) as stored where sealed like ${`v2.${keyIdOf(secretKey)}.%`} order by sealed`)
    return rows
  }
  /** Variables with a header each, sealed with that key. */
  const addMany = async (secretKey = EARLIER) => {
    const box = createSecretBox(secretKey)
    const apiUrl = 'https://weather.example.org/'
    const rows = Array.from({ length: MANY }, (_, index) => ({ name: `many_${index}`, ownerId: ada.user.id }))
    const added = await app.db
      .insert(variables)
      .values(rows.map((row) => ({ ...row, type: 'api' as const, apiUrl })))
      .returning({ id: variables.id })
    const sealed = added.map((row) => {
      const context = JSON.stringify(['variable header', row.id, new URL(apiUrl).origin, 'x-key'])
      return { id: row.id, headers: { 'x-key': box.seal({ text: `canary-${row.id}`, context }) } }
    })
    await app.db.execute(sql`update variables set api_headers = given.headers
      from jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) as given(id integer, headers jsonb) where variables.id = given.id`)
  }

  test.each(['named', 'not named, as before'])(
    'each opens with the new key alone; the earlier was %s',
    async (form) => {
      await addVariable()
      const chain = await need<{ id: number }>('/api/chains', { name: 'Letter' })
      const header = { name: 'Authorization', sealed: true, value: 'Bearer canary-step' }
      const calling = {
        kind: 'tool',
        outputVariableName: 'a',
        tool: { ...makeStepTool(), headers: [header] },
      }
      const step = await need<ChainStep>(`/api/chains/${chain.id}/steps`, calling)
      const token = await need<{ id: number; token: string }>('/api/tokens', {
        ...{ name: 'Production', chainId: chain.id },
      })
      const signature = { form: 'plain', secret: 'canary-signed' }
      const address = await need<{ id: number; token: string }>('/api/own-tokens', {
        ...{ name: 'GitHub', scopes: [`chain:${chain.id}`, 'hook'], signature },
      })
      const kept = { name: 'Office', kind: 'compatible', baseUrl: 'https://models.example.org/v1' }
      const provider = await need<{ id: number }>('/api/admin/providers', {
        ...kept,
        apiKey: 'sk-canary-one',
      })
      const waits = { url: `/api/admin/providers/${provider.id}`, body: { apiKey: 'sk-canary-two' }, as: ada }
      expect((await app.request({ method: 'PATCH', ...waits })).status).toBe(200)
      const hook = await need<{ id: number }>('/api/webhooks', {
        ...{ url: 'https://hooks.example.org', events: ['run.failed'] },
      })
      const rotated = { method: 'POST', url: `/api/webhooks/${hook.id}/rotate`, as: ada } as const
      expect((await app.request(rotated)).status).toBe(200)
      await app.connect(ada)
      const category = { name: 'Customers' }
      const first = await need('/api/categories', category, { 'idempotency-key': 'a' })
      expect(await findSealedColumns(app)).toEqual(SEALED.map(placeOf).toSorted())
      if (form !== 'named') await forgetNames(app)

      expect((await reseal(rotating())).unread).toEqual(new Map())
      expect(await namedKeys()).toEqual([keyIdOf(NEW)])
      const { other, as } = await startNew()
      expect(await headersIn(other, as)).toEqual([HEADERS])
      const revealed = await other.request({ url: `/api/tokens/${token.id}/value`, as })
      expect(revealed).toMatchObject({ status: 200, body: { token: token.token } })
      const [row] = await app.db.select().from(modelProviders).where(eq(modelProviders.id, provider.id))
      const opened = (['apiKey', 'newApiKey'] as const).map(
        (column) => row && openKey(createSecretBox(NEW), row, column),
      )
      expect(opened).toEqual(['sk-canary-one', 'sk-canary-two'])
      const sign = createHmac('sha256', 'canary-signed').update('{}').digest('hex')
      const called = await other.request({
        ...{ method: 'POST', url: `/hooks/${address.token}`, body: {}, headers: { 'x-signature': sign } },
      })
      // It has no step: who signed it is known.
      expect([called.status, called.text]).not.toContain(401)
      expect(called.text).not.toContain('secret')
      const { id: stepId, tool } = step
      const sealing = { db: app.db, secrets: createSecretBox(NEW) }
      const parts = tool && (await openSealedParts(sealing, { id: stepId, tool, forEach: null }))
      expect([...(parts?.values ?? [])]).toEqual([['header:authorization', 'Bearer canary-step']])
      expect((await readDoc(other)).text).toBe('Be kind.')
      const again = { method: 'POST', url: '/api/categories', body: category } as const
      const repeated = await other.request({ ...again, as, headers: { 'idempotency-key': 'a' } })
      expect(repeated).toMatchObject({ status: 201, body: first })
      expect(repeated.headers['idempotent-replayed']).toBe('true')
      await other.close()
    },
  )

  test('ended after any slice, all opens with both keys, and the next call goes on', async () => {
    await addMany()
    const { google } = app.settings
    const both = await startApp({ database, settings: { google, secretKey: NEW, secretKeyAlso: EARLIER } })
    const firstHeaders = await headersIn(both, ada)
    expect(firstHeaders.flatMap(Object.values)).not.toContain('')
    for (const left of [MANY - SLICE, MANY - 2 * SLICE, 0]) {
      for await (const { resealed } of resealInSlices(rotating())) if (resealed > 0) break
      expect(await sealedBy(EARLIER)).toHaveLength(left)
      expect(await headersIn(both, ada)).toEqual(firstHeaders)
    }
    expect(await sealedBy(NEW)).toHaveLength(MANY)
    await both.close()
  })

  test('what no known key opens is left as it is, and counted', async () => {
    await addVariable()
    await addMany(LOST)
    const before = await sealedBy(LOST)
    expect(await reseal(rotating())).toMatchObject({
      resealed: 1,
      unread: new Map([['header values of variables', MANY]]),
    })
    expect(await sealedBy(LOST)).toEqual(before)
    expect(before).toHaveLength(MANY)
  })

  test('whoever is at their quota gets past it only by what a new form takes', async () => {
    const { id } = await addVariable()
    await forgetNames(app)
    await app.db.execute(
      sql`update users set quotas = jsonb_build_object('text', (select text from usages where user_id = users.id))`,
    )
    expect((await reseal(rotating())).resealed).toBe(1)
    const more = {
      name: 'weather',
      type: 'api',
      apiUrl: 'https://weather.example.org/',
      apiHeaders: { 'X-More': 'x'.repeat(900) },
    }
    const refused = await app.request({ method: 'PATCH', url: `/api/variables/${id}`, body: more, as: ada })
    expect(refused.status).toBeGreaterThanOrEqual(400)
  })

  test('a Google token that is renewed meanwhile is the one that is kept', async () => {
    await app.connect(ada)
    app.clock.aheadMs = HOUR_MS
    app.fake.tokens.rotate = true
    app.fake.journal.length = 0
    const held = Promise.withResolvers<void>()
    app.fake.fail({ on: 'token', until: held.promise })
    const reading = readDoc(app)
    await expect.poll(() => app.fake.journal.length).toBe(1)
    expect((await reseal(rotating())).resealed).toBe(2)
    held.resolve()
    expect((await reading).text).toBe('Be kind.')
    await reseal(rotating())
    // Google takes the token from before no longer.
    const { other } = await startNew()
    other.clock.aheadMs = 2 * HOUR_MS
    expect((await readDoc(other)).text).toBe('Be kind.')
    expect(await app.db.$count(accounts, eq(accounts.providerId, 'google-drive'))).toBe(1)
    await other.close()
  })

  // The embedded database does one after the other.
  if (kind === 'server')
    test('a value that is written meanwhile wins', async () => {
      const { id } = await addVariable()
      const newer = { authorization: 'Bearer canary-newer', 'X-Team': 'canary-team' }
      const body = { name: 'weather', type: 'api', apiUrl: 'https://weather.example.org/', apiHeaders: newer }
      const changed = app.db.transaction(async (tx) => {
        await tx.execute(sql`select 1 from variables where id = ${id} for update`)
        const change = app.request({ method: 'PATCH', url: `/api/variables/${id}`, body, as: ada })
        await countWaiting(app, 1)
        const sealing = reseal(rotating())
        await countWaiting(app, 2)
        return { change, sealing }
      })
      const { change, sealing } = await changed
      expect((await change).status).toBe(200)
      await sealing
      expect(await namedKeys()).toEqual([keyIdOf(NEW)])
      const { other, as } = await startNew()
      expect(await headersIn(other, as)).toEqual([newer])
      await other.close()
    })
})

const placeOf = ({ column }: (typeof SEALED)[number]) =>
  `${getTableName(column.table)}.${toSnakeCase(column.name)}`

/** The columns, of all tables, in which a sealed value stands. */
async function findSealedColumns({ db }: TestApp): Promise<string[]> {
  const tables = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const found = await Promise.all(
    tables.rows.map(({ name }) =>
      db.execute<{ place: string }>(sql`
        select distinct ${`${name}.`} || field.key as place
        from ${sql.identifier(name)} as stored, jsonb_each_text(to_jsonb(stored)) as field
        where field.value ~ '\\mv2\\.[0-9a-f]{8}\\.'`),
    ),
  )
  return found.flatMap(({ rows }) => rows.map(({ place }) => place)).toSorted()
}

async function signIn(app: TestApp, { user, password }: TestUser): Promise<TestUser> {
  const body = { username: user.username, password }
  const reply = await app.request({ method: 'POST', url: '/api/login', body })
  return { user, password, headers: toBrowserHeaders(reply.cookies) }
}

/** Gives sealed values the form that they had before they named their key. */
async function forgetNames({ db }: TestApp): Promise<void> {
  const unnamed = (column: string) => `regexp_replace(${column}, 'v2\\.[0-9a-f]{8}\\.', 'v1.', 'g')`
  const columns = [
    ...['api_tokens.encrypted_value', 'api_tokens.sealed_secret'],
    ...['model_providers.api_key', 'model_providers.new_api_key'],
    ...['accounts.access_token', 'accounts.refresh_token', 'idempotency_keys.reply_body'],
    'webhooks.sealed_secret',
  ]
  for (const place of columns) {
    const [table, column = ''] = place.split('.')
    await db.execute(sql.raw(`update ${table} set ${column} = ${unnamed(column)}`))
  }
  await db.execute(sql.raw(`update webhooks set sealed_formers = ${unnamed('sealed_formers::text')}::jsonb`))
  await db.execute(sql.raw(`update variables set api_headers = ${unnamed('api_headers::text')}::jsonb`))
}

/** Waits until so many statements wait for a lock. */
async function countWaiting({ db }: TestApp, waiting: number): Promise<void> {
  const count = async () => {
    const { rows } = await db.execute<{ count: number }>(
      sql`select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]?.count
  }
  await expect.poll(count).toBe(waiting)
}
