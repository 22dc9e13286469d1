import { Writable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accounts, activity } from '../../database/schema/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { routeDatabaseKinds, useTestDatabase } from '../../testing/database.ts'
import { type DriveApp, startDrive } from '../../testing/fake-google/start-drive.ts'
import type { TestUser } from '../../testing/harness.ts'

const HOUR_MS = 3_600_000
const ENDED = 'Google no longer lets Catenary read your Google Drive. Connect it again.'

describe.each(routeDatabaseKinds)('tokens of Google Drive on %s', (kind) => {
  const database = useTestDatabase(kind)
  const lines: string[] = []
  let app: DriveApp
  let ada: TestUser
  beforeEach(async () => {
    await database.reset()
    lines.length = 0
    app = await startDrive({ database, log: createLog({ level: 'trace', destination: collect(lines) }) })
    ada = await app.registerUser()
    app.fake.addFiles({ id: 'doc-1', name: 'Terms', mimeType: 'text/plain', content: 'Be kind.' })
    await app.connect(ada)
    app.fake.journal.length = 0
  })
  afterEach(() => app.close())

  const read = (from = app) =>
    from.readDriveFile({ ownerId: ada.user.id, fileId: 'doc-1', signal: new AbortController().signal })
  const refreshes = () => app.fake.journal.filter(({ form }) => form.grant_type === 'refresh_token')
  const connections = () => app.db.select().from(accounts).where(eq(accounts.providerId, 'google-drive'))

  test('a token that lives is used as it is', async () => {
    expect((await read()).text).toBe('Be kind.')
    expect(refreshes()).toEqual([])
  })

  test('a token at its end is renewed first, once, and kept', async () => {
    app.clock.aheadMs = HOUR_MS - 30_000
    await read()
    await read()
    expect(refreshes()).toHaveLength(1)
    expect(app.fake.journal[0]?.path).toBe('/token')
  })

  test('A token of Google’s is renewed once when it is due.', async () => {
    app.fake.tokens.rotate = true
    app.clock.aheadMs = HOUR_MS
    const texts = await Promise.all(Array.from({ length: 8 }, () => read()))
    expect(texts.map(({ text }) => text)).toEqual(Array(8).fill('Be kind.'))
    expect(refreshes()).toHaveLength(1)
  })

  test('a refresh token that Google replaces is kept, through several renewals', async () => {
    app.fake.tokens.rotate = true
    for (const hours of [1, 2, 3]) {
      app.clock.aheadMs = hours * HOUR_MS
      expect((await read()).text).toBe('Be kind.')
    }
    const used = refreshes().map(({ form }) => form.refresh_token)
    expect(new Set(used).size).toBe(3)
  })

  test('a token that Google refuses before its time is renewed, and the call made again', async () => {
    app.fake.expireAccess()
    expect((await read()).text).toBe('Be kind.')
    expect(refreshes()).toHaveLength(1)
  })

  test('When access to Google Drive was taken back, the person is asked to connect again.', async () => {
    app.fake.revokeAll()
    await expect(read()).rejects.toMatchObject({
      code: 'conflict',
      message: ENDED,
      details: { googleDrive: 'not_connected' },
    })
    expect(await connections()).toEqual([])
    expect(await app.status(ada)).toEqual({ authenticated: false, configured: true, email: null })
    const done = (await app.db.select().from(activity)).map(({ kind }) => kind)
    expect(done).toContain('google_drive.ended')
    await app.connect(ada)
    expect((await read()).text).toBe('Be kind.')
  })

  test('each simultaneous reader is told that access was revoked', async () => {
    app.fake.revokeAll()
    const results = await Promise.allSettled([read(), read(), read()])
    for (const result of results) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { details: { googleDrive: 'not_connected' } },
      })
    }
  })

  test('permission that is missing later deletes the tokens, too', async () => {
    app.fake.fail({ on: 'drive', status: 403, reason: 'insufficientPermissions', times: 2 })
    await expect(read()).rejects.toMatchObject({ code: 'conflict', message: ENDED })
    expect(await connections()).toEqual([])
  })

  test.each([
    [{ on: 'token', status: 500, reason: 'internal_failure' }, 'it answered 500'],
    [{ on: 'token', status: 401, reason: 'invalid_client' }, 'must check GOOGLE_CLIENT_ID'],
    [{ on: 'token', body: 'null' }, 'Google did not give access'],
  ] as const)('a renewal that fails otherwise keeps them: %j', async (fault, message) => {
    app.clock.aheadMs = HOUR_MS
    app.fake.fail(fault)
    await expect(read()).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining(message),
    })
    expect((await read()).text).toBe('Be kind.')
  })

  test('another process that renewed them meanwhile ends nothing', async () => {
    const other = await startDrive({ database, settings: { google: app.fake.settings } })
    other.clock.aheadMs = app.clock.aheadMs = HOUR_MS
    app.fake.tokens.rotate = true
    const held = Promise.withResolvers<void>()
    app.fake.fail({ on: 'token', until: held.promise })
    const slow = read()
    await expect.poll(() => refreshes().length).toBe(1)
    expect((await read(other)).text).toBe('Be kind.')
    held.resolve()
    expect((await slow).text).toBe('Be kind.')
    expect(await connections()).toHaveLength(1)
    await other.close()
  })

  test('a person who disconnects while they are renewed stays disconnected', async () => {
    app.clock.aheadMs = HOUR_MS
    const held = Promise.withResolvers<void>()
    app.fake.fail({ on: 'token', until: held.promise })
    const reading = read()
    const refused = expect(reading).rejects.toMatchObject({ details: { googleDrive: 'not_connected' } })
    await expect.poll(() => refreshes().length).toBe(1)
    await app.request({ method: 'DELETE', url: '/api/auth/google', as: ada })
    held.resolve()
    await refused
    expect(await connections()).toEqual([])
  })

  test('with another key they can’t be read, which reads as not connected', async () => {
    const secretKey = 'another-key-of-more-than-32-characters-in-all'
    const other = await startDrive({ database, settings: { google: app.fake.settings, secretKey } })
    await expect(read(other)).rejects.toMatchObject({ details: { googleDrive: 'not_connected' } })
    await other.close()
  })

  test('tokens of one account open for no other', async () => {
    const bob = await app.registerUser()
    await app.db.update(accounts).set({ userId: bob.user.id }).where(eq(accounts.providerId, 'google-drive'))
    const reading = app.readDriveFile({
      ...{ ownerId: bob.user.id, fileId: 'doc-1', signal: new AbortController().signal },
    })
    await expect(reading).rejects.toMatchObject({ details: { googleDrive: 'not_connected' } })
  })

  test('Tokens of Google’s are encrypted, and appear in no log, error, database dump or reply.', async () => {
    const replies: string[] = []
    const say = async (url: string, method: 'GET' | 'DELETE' = 'GET') =>
      replies.push(JSON.stringify(await app.request({ method, url, as: ada })))
    const errors: unknown[] = []
    app.fake.tokens.rotate = true
    for (const status of [400, 401, 403, 404, 429, 500, 503]) {
      app.clock.aheadMs += HOUR_MS
      app.fake.fail({ on: 'token', status }, { on: 'drive', status, times: 2 })
      await say('/api/google-drive/files')
      await read().catch((error: unknown) => errors.push(error))
      if (!((await app.status(ada)) as { authenticated: boolean }).authenticated) await app.connect(ada)
    }
    for (const fault of [
      { on: 'token', status: 500 },
      { on: 'drive', body: 'x' },
      { on: 'revoke', status: 500 },
    ] as const) {
      app.fake.fail(fault)
      replies.push(JSON.stringify(await app.connect(ada)))
      await say('/api/google-drive/picker')
      await say('/api/auth/google', 'DELETE')
    }
    app.fake.heal()
    await app.connect(ada)
    for (const url of [
      '/api/auth/google/status',
      '/api/google-drive/files',
      '/api/user',
      '/api/openapi.json',
    ]) {
      await say(url)
    }
    const dump = await dumpDatabase(app)
    expect(app.fake.given.length).toBeGreaterThan(15)
    expect(dump).toContain('google-drive')
    expect(lines.length).toBeGreaterThan(50)
    const haystack = [dump, lines.join(''), replies.join(''), ...errors.map(toText)].join('\n')
    const secrets = [...app.fake.given, app.fake.settings.clientSecret]
    expect(secrets.filter((secret) => haystack.includes(secret))).toEqual([])
  })
})

async function dumpDatabase({ client }: DriveApp): Promise<string> {
  const tables = await client.pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const rows: unknown[] = []
  for (const { name } of tables.rows) rows.push(name, (await client.pool.query(`select * from ${name}`)).rows)
  return JSON.stringify(rows)
}

function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [error.stack, JSON.stringify(error), error.cause === undefined ? '' : toText(error.cause)].join('\n')
}

function collect(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
}
