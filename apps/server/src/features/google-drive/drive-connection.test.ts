import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accounts, activity, verifications } from '../../database/schema/index.ts'
import { routeDatabaseKinds, useTestDatabase } from '../../testing/database.ts'
import { type DriveApp, startDrive } from '../../testing/fake-google/start-drive.ts'
import { startApp, type TestUser, toBrowserHeaders } from '../../testing/harness.ts'

const PUBLIC_URL = 'https://catenary.example.org'
const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'
const CONNECTED = { authenticated: true, configured: true, email: 'drive.owner@example.org' }
const NOT_CONNECTED = { authenticated: false, configured: true, email: null }
const NOT_CONFIGURED =
  'Google Drive is not set up here. An administrator must set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.'

describe.each(routeDatabaseKinds)('connecting Google Drive on %s', (kind) => {
  const database = useTestDatabase(kind)
  let app: DriveApp
  let ada: TestUser
  let bob: TestUser
  beforeEach(async () => {
    await database.reset()
    app = await startDrive({ database, settings: { publicUrl: PUBLIC_URL } })
    ada = await app.registerUser({ username: 'Ada' })
    bob = await app.registerUser({ username: 'Bob' })
  })
  afterEach(() => app.close())

  const callbackCalls = () => app.fake.journal.filter(({ path }) => path === '/token')
  const refusedAs = (status: number, text: string) => ({ status, text: expect.stringContaining(text) })
  const stored = () => app.db.select().from(accounts).orderBy(accounts.id)
  const connections = async () => (await stored()).filter(({ providerId }) => providerId === 'google-drive')

  test('Connecting Google Drive uses OAuth with PKCE, read-only.', async () => {
    const first = new URL(await app.start(ada))
    const second = new URL(await app.start(ada))
    expect(first.origin + first.pathname).toBe(app.fake.settings.oauthUrl)
    expect(Object.fromEntries(first.searchParams)).toEqual({
      client_id: app.fake.settings.clientId,
      redirect_uri: `${PUBLIC_URL}/api/auth/google/callback`,
      response_type: 'code',
      scope: SCOPE,
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'false',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'code_challenge']) {
      expect(first.searchParams.get(name)).not.toBe(second.searchParams.get(name))
    }
  })

  test('`GET /api/auth/google/status` says whether the caller has connected Drive; each person connects for themselves.', async () => {
    expect(await app.status(ada)).toEqual(NOT_CONNECTED)
    const reply = await app.connect(ada, '?returnTo=%2Fvariables%3Fedit%3D7')
    expect([reply.status, reply.headers.location]).toEqual([302, '/variables?edit=7'])
    expect(await app.status(ada)).toEqual(CONNECTED)
    expect(await app.status(bob)).toEqual(NOT_CONNECTED)
    expect(await app.status()).toEqual(NOT_CONNECTED)
    const [exchange] = callbackCalls()
    const verifier = exchange?.form.code_verifier ?? ''
    const asked = app.fake.journal.find(({ path }) => path === '/o/oauth2/v2/auth')
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(asked?.query.code_challenge)
    expect(verifier.length).toBeGreaterThanOrEqual(43)
    const done = (await app.db.select().from(activity)).map(({ kind, personId }) => [kind, personId])
    expect(done).toContainEqual(['google_drive.connected', ada.user.id])
  })

  test('Connecting Drive is never a sign-in.', async () => {
    expect((await app.connect(ada)).cookies).toEqual([])
    const back = await app.consent(await app.start(ada))
    const guest = await app.comeBack(back)
    expect(guest).toMatchObject({ ...refusedAs(401, 'Please log in'), cookies: [] })
  })

  test('connecting again replaces the connection; one Google account serves several people', async () => {
    await app.connect(ada)
    await app.connect(ada)
    await app.connect(bob)
    expect((await connections()).map(({ userId }) => userId)).toEqual([ada.user.id, bob.user.id])
    expect(await app.status(bob)).toEqual(CONNECTED)
  })

  test('in a popup the last page tells its opener and closes', async () => {
    const reply = await app.connect(ada, '?popup=1')
    expect(reply).toMatchObject(refusedAs(200, 'Google Drive is connected'))
    expect(reply.text).toMatch(/opener\.postMessage\(\{ type \}, location\.origin\)/)
    expect(reply.text).toContain('("google-drive-connected")')
    expect(reply.headers['cross-origin-opener-policy']).toBe('unsafe-none')
    const nonce = /script-src 'nonce-(\w+)'/.exec(String(reply.headers['content-security-policy']))?.[1]
    expect(reply.text.match(/<script[^>]*>/g)).toEqual([`<script nonce="${nonce}">`])
  })

  test('The `state` of connecting Google Drive works once.', async () => {
    const back = await app.consent(await app.start(ada))
    expect((await app.comeBack(back, ada)).status).toBe(302)
    expect(await app.comeBack(back, ada)).toMatchObject(
      refusedAs(403, 'has expired or was started in another session'),
    )
    expect(callbackCalls()).toHaveLength(1)
    expect(await app.db.$count(verifications)).toBe(0)
  })

  test('a state sent twice at once works once', async () => {
    const back = await app.consent(await app.start(ada))
    const replies = await Promise.all([1, 2, 3].map(() => app.comeBack(back, ada)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([302, 403, 403])
    expect(callbackCalls()).toHaveLength(1)
  })

  test('a state of another person is refused, and used up by that', async () => {
    const back = await app.consent(await app.start(bob))
    expect(await app.comeBack(back, ada)).toMatchObject(refusedAs(403, 'started in another session'))
    expect(await app.comeBack(back, bob)).toMatchObject(
      refusedAs(403, 'has expired or was started in another session'),
    )
    expect(callbackCalls()).toEqual([])
    expect(await connections()).toEqual([])
  })

  test('The `state` of connecting Google Drive works in the session that began it.', async () => {
    const back = await app.consent(await app.start(ada))
    const body = { username: 'Ada', password: ada.password }
    const elsewhere = await app.request({ method: 'POST', url: '/api/login', body })
    const other = { ...ada, headers: toBrowserHeaders(elsewhere.cookies) }
    expect(await app.comeBack(back, other)).toMatchObject(refusedAs(403, 'started in another session'))
    expect(callbackCalls()).toEqual([])
  })

  test('The `state` of connecting Google Drive works for ten minutes.', async () => {
    const back = await app.consent(await app.start(ada))
    app.clock.aheadMs = 10 * 60_000
    expect(await app.comeBack(back, ada)).toMatchObject(
      refusedAs(403, 'has expired or was started in another session'),
    )
    expect(callbackCalls()).toEqual([])
  })

  test.each([
    ['?code=4%2F0Astolen', 403],
    ['?state=&code=4%2F0Astolen', 403],
    ['?state=guessed&code=4%2F0Astolen', 403],
    ['?state=one&state=two&code=4%2F0Astolen', 400],
  ])('a callback without a state that was given is refused: %s', async (query, status) => {
    await app.start(ada)
    expect((await app.comeBack(`/api/auth/google/callback${query}`, ada)).status).toBe(status)
    expect(callbackCalls()).toEqual([])
  })

  test('a person who does not consent has connected nothing, and can try again from there', async () => {
    app.fake.consent('deny')
    const reply = await app.connect(ada, '?returnTo=%2Fvariables&popup=1')
    expect(reply).toMatchObject(refusedAs(400, 'You did not allow Catenary to read your Google Drive.'))
    expect(reply.text).toContain('href="/api/auth/google?returnTo=%2Fvariables&amp;popup=1"')
    expect(callbackCalls()).toEqual([])
    expect(await app.status(ada)).toEqual(NOT_CONNECTED)
  })

  test('a person who withholds the permission has connected nothing, and the tokens are revoked', async () => {
    app.fake.consent('untick')
    expect(await app.connect(ada)).toMatchObject(
      refusedAs(400, 'You did not give permission to read your files'),
    )
    expect(app.fake.journal.at(-1)).toMatchObject({ path: '/revoke', form: { token: expect.any(String) } })
    expect(await connections()).toEqual([])
  })

  test('a code for another verifier, or a used one, is refused by Google, and the page says so', async () => {
    const [mine, other] = [new URL(await app.start(ada)), new URL(await app.start(ada))]
    mine.searchParams.set('code_challenge', other.searchParams.get('code_challenge') ?? '')
    const reply = await app.comeBack(await app.consent(mine.href), ada)
    expect(reply).toMatchObject(refusedAs(400, 'Google no longer accepts this sign-in'))
    mine.searchParams.delete('code_challenge')
    expect((await fetch(mine, { redirect: 'manual' })).status).toBe(400)
  })

  test.each([
    [{ on: 'token', status: 401, reason: 'invalid_client' }, 'must check GOOGLE_CLIENT_ID'],
    [{ on: 'token', status: 500, reason: 'internal_failure' }, 'it answered 500'],
    [{ on: 'token', body: '<html>' }, 'Google did not give access'],
    [{ on: 'drive', status: 403, reason: 'accessNotConfigured' }, 'must enable it in the Google Cloud'],
    [{ on: 'drive', status: 401, times: 2 }, 'did not let Catenary read your Drive'],
    [{ on: 'drive', body: '{"user":7}' }, 'sent an unexpected answer'],
  ] as const)(
    'when Google fails with %j nothing is connected, and the page says why',
    async (fault, text) => {
      app.fake.fail(fault)
      expect(await app.connect(ada)).toMatchObject(refusedAs(400, text))
      expect(await connections()).toEqual([])
    },
  )

  test.each([
    '//evil.example/a',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'variables',
    '/a%0d%0aset-cookie: a=b',
    `/${'a'.repeat(2000)}`,
  ])('Connecting Drive leads to no other site. (%s)', async (returnTo) => {
    const decoded = returnTo.replace('%0d%0a', '\r\n')
    const url = `/api/auth/google?${new URLSearchParams({ returnTo: decoded })}`
    expect((await app.request({ url, as: ada })).status).toBe(400)
  })

  test('only a person on our own pages starts it', async () => {
    const start = (headers: Record<string, string>) => app.request({ url: '/api/auth/google', headers })
    const { cookie } = ada.headers
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect(await start({ cookie, 'sec-fetch-site': site })).toMatchObject({
        status: 403,
        body: { error: 'This request came from another site' },
      })
    }
    expect(await start({ 'sec-fetch-site': 'same-origin' })).toMatchObject(refusedAs(401, 'Please log in'))
    expect(await app.db.$count(verifications)).toBe(0)
  })

  test('disconnecting deletes the tokens and revokes them; a second time does no harm', async () => {
    await app.connect(ada)
    await app.connect(bob)
    const disconnect = (as?: TestUser) => app.request({ method: 'DELETE', url: '/api/auth/google', as })
    expect((await disconnect()).status).toBe(401)
    expect((await disconnect(ada)).status).toBe(204)
    expect(await app.status(ada)).toEqual(NOT_CONNECTED)
    expect(app.fake.journal.at(-1)?.path).toBe('/revoke')
    expect(app.fake.given).toContain(app.fake.journal.at(-1)?.form.token)
    expect((await connections()).map(({ userId }) => userId)).toEqual([bob.user.id])
    expect((await disconnect(ada)).status).toBe(204)
    const done = (await app.db.select().from(activity)).filter(({ personId }) => personId === ada.user.id)
    expect(done.filter(({ kind }) => kind === 'google_drive.disconnected')).toHaveLength(1)
  })

  test('disconnecting works when Google can’t be reached', async () => {
    await app.connect(ada)
    app.fake.fail({ on: 'revoke', status: 503 })
    expect((await app.request({ method: 'DELETE', url: '/api/auth/google', as: ada })).status).toBe(204)
    expect(await connections()).toEqual([])
  })

  test('Without Google’s settings every place says what an administrator must set.', async () => {
    await app.connect(ada)
    const other = await startApp({ database, settings: { publicUrl: PUBLIC_URL } })
    const get = (url: string) => other.request({ url, as: ada })
    expect((await get('/api/auth/google/status')).body).toEqual({
      authenticated: false,
      configured: false,
      email: null,
    })
    expect(await get('/api/auth/google')).toMatchObject(refusedAs(409, NOT_CONFIGURED))
    expect(await get('/api/google-drive/files')).toMatchObject({
      status: 409,
      body: { error: NOT_CONFIGURED, details: { googleDrive: 'not_configured' } },
    })
    expect((await get('/api/auth/google/callback?state=a&code=b')).status).toBe(400)
    expect((await other.request({ method: 'DELETE', url: '/api/auth/google', as: ada })).status).toBe(204)
    expect(await connections()).toEqual([])
    await other.close()
  })
})
