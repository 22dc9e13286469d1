import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MODELS } from '@catenary/contracts'
import { describe, expect, test } from 'vitest'
import { readSettings } from './settings.ts'
import { listSettings } from './settings-list.ts'

describe('settings', () => {
  test('without any variable the program listens on localhost:3000 with the sandbox and an embedded database', () => {
    expect(readSettings({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      role: 'all',
      publicUrl: 'http://localhost:3000',
      dataDir: path.resolve('data'),
      databaseUrl: undefined,
      embeddedFsync: true,
      registration: 'open',
      models: { sandbox: 'auto', claude: { apiKey: undefined, baseUrl: 'https://api.anthropic.com' } },
    })
  })

  test('.env.example, which the guide shows, names every setting, and no other', () => {
    const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')
    const documented = [...read('../../../../../.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(
      ([, name]) => name,
    )
    const known = [...read('settings-environment.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(
      ([, name]) => name,
    )
    known.push(...Object.values(MODELS).flatMap(({ settings }) => Object.values(settings)))
    expect(known).toContain('DATABASE_URL')
    expect(documented.sort()).toEqual(known.sort())
  })

  test('an empty value counts as absent', () => {
    expect(readSettings({ ANTHROPIC_API_KEY: '', PORT: '' })).toMatchObject({ port: 3000 })
  })

  test.each([
    [{ PORT: 'eighty' }, 'PORT: must be a port number'],
    [{ PORT: '70000' }, /^PORT: /],
    [
      { DATABASE_URL: 'mysql://localhost/x' },
      'DATABASE_URL: must be a URL such as postgres://user:password@host:5432/name',
    ],
    [{ EMBEDDED_FSYNC: 'yes' }, 'EMBEDDED_FSYNC: must be on or off'],
    [
      { DATABASE_DIRECT_URL: 'postgres://localhost/x' },
      'DATABASE_DIRECT_URL needs DATABASE_URL: it is the same database, without the pooler',
    ],
    [{ DATABASE_POOL: '0' }, 'DATABASE_POOL: must be at least 1'],
    [{ BUS_URL: 'http://localhost' }, 'BUS_URL: must be a URL such as redis://user:password@host:6379'],
    [
      { BUS_URL: 'rediss://localhost' },
      'BUS_URL needs DATABASE_URL: the embedded database serves one process only',
    ],
    [{ ROLE: 'web' }, 'ROLE=web needs DATABASE_URL: the embedded database serves one process only'],
    [
      { ROLE: 'worker', DATABASE_URL: 'postgres://localhost/x' },
      'ROLE=worker needs SECRET_KEY: all processes must share it',
    ],
    [
      { SECRET_KEY_ALSO: 'k'.repeat(32) },
      'SECRET_KEY_ALSO needs SECRET_KEY: without it, the keys in DATA_DIR are used',
    ],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY: must have at least 32 characters'],
    [{ CORS_ORIGINS: 'https://a.example, b' }, /^CORS_ORIGINS: must be a URL/],
    [
      { PUBLIC_URL: 'https://a.example/tools/' },
      /^PUBLIC_URL: must have no path: .* as in https:\/\/a\.example$/,
    ],
    [{ PUBLIC_URL: 'https://a.example?x=1' }, /^PUBLIC_URL: must have no path/],
    [
      { ADMIN_USERNAME: 'root' },
      'ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD go together: set all three or none',
    ],
    [{ MODEL_PRICES: '{' }, /^MODEL_PRICES: must be JSON/],
    [
      {
        MODEL_PRICES:
          '{"m": {"inputPerMillionUsd": 1, "outputPerMillionUsd": 2, "cachedInputPerMillionUsd": -1}}',
      },
      /^MODEL_PRICES: /,
    ],
    [{ ANTHROPIC_BASE_URL: 'claude' }, /^ANTHROPIC_BASE_URL: must be a URL/],
    [{ CUSTOM_BASE_URL: 'http://localhost:11434/v1' }, 'CUSTOM_BASE_URL needs CUSTOM_MODEL'],
    [{ CUSTOM_LABEL: 'Llama' }, 'CUSTOM_LABEL needs CUSTOM_BASE_URL'],
    [{ CUSTOM_LABEL: 'x'.repeat(41) }, 'CUSTOM_LABEL: must have at most 40 characters'],
    [{ TRUST_PROXY: 'yes' }, /^TRUST_PROXY: must be on, off, a number of proxies, or networks/],
    [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY: /],
    [{ ALLOWED_HOSTS: 'intranet:8080' }, /^ALLOWED_HOSTS: must be names or addresses without a port/],
    [{ ALLOWED_HOSTS: 'https://intranet' }, /^ALLOWED_HOSTS: /],
    [{ MODEL_FIRST_BYTE_SECONDS: 'long' }, 'MODEL_FIRST_BYTE_SECONDS: must be a number of seconds'],
    [{ MODEL_SILENCE_SECONDS: '601' }, 'MODEL_SILENCE_SECONDS: must be at most 600'],
    [{ SANDBOX_MODEL: 'maybe' }, 'SANDBOX_MODEL: must be auto, on or off'],
    [{ FETCH_ALLOW_HOSTS: 'wiki.internal, http://10.0.0.5' }, /^FETCH_ALLOW_HOSTS: must be hosts such as/],
    [{ FETCH_ALLOW_HOSTS: '*.internal' }, /^FETCH_ALLOW_HOSTS: /],
    [{ FETCH_ALLOW_HOSTS: 'wiki.internal:0' }, /^FETCH_ALLOW_HOSTS: /],
    [
      { SMTP_URL: 'https://mail.example.org', MAIL_FROM: 'a@example.org' },
      /^SMTP_URL: must be a URL such as smtp:/,
    ],
    [{ SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'Catenary' }, /^MAIL_FROM: must be an address/],
    [{ MAIL_RECIPIENTS: 'all' }, 'MAIL_RECIPIENTS: must be any or confirmed'],
    [{ MAIL_DOMAINS: 'a@example.org' }, /^MAIL_DOMAINS: must be domains such as/],
    [{ MAILS_PER_HOUR: '0' }, 'MAILS_PER_HOUR: must be at least 1'],
    [{ SMTP_URL: 'smtp://mail.example.org' }, 'SMTP_URL and MAIL_FROM go together: set both or none'],
    [
      { GOOGLE_CLIENT_ID: 'an-id' },
      'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together: set both or none',
    ],
    [{ GOOGLE_DRIVE_URL: 'drive' }, /^GOOGLE_DRIVE_URL: must be a URL/],
    [{ OTLP_ENDPOINT: 'collector:4318' }, /^OTLP_ENDPOINT: must be a URL/],
    [{ OTLP_HEADERS: 'Basic abc' }, /^OTLP_HEADERS: must be headers such as/],
    [{ OTLP_HEADERS: 'Authorization=a%0d%0ab' }, /^OTLP_HEADERS: must be headers such as/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: /],
  ])(
    '`PUBLIC_URL` is an origin, with or without a slash; a path stops the start with a line. `HOST` takes every address. (%j)',
    (env, message) => {
      expect(() => readSettings(env)).toThrow(message)
      expect(() => readSettings(env)).not.toThrow(/\n/)
    },
  )

  test.each([
    { env: { PUBLIC_URL: 'https://a.example/' }, publicUrl: 'https://a.example' },
    { env: { PUBLIC_URL: 'https://A.example:443' }, publicUrl: 'https://a.example' },
    { env: { HOST: '::' }, publicUrl: 'http://localhost:3000' },
    { env: { HOST: '::1' }, publicUrl: 'http://localhost:3000' },
    { env: { HOST: '[::1]' }, publicUrl: 'http://localhost:3000' },
    { env: { HOST: '[fd00::5]' }, publicUrl: 'http://[fd00::5]:3000' },
    { env: { HOST: '192.168.1.5' }, publicUrl: 'http://192.168.1.5:3000' },
  ])('$env: links lead to $publicUrl', ({ env, publicUrl }) => {
    const settings = readSettings(env)
    expect(settings.publicUrl).toBe(publicUrl)
    expect(settings.host).not.toMatch(/[[\]]/)
  })

  test('the environment goes before .env', () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'catenary-settings-'))
    writeFileSync(path.join(directory, '.env'), 'PORT=4001\nHOST=0.0.0.0\n')
    expect(readSettings({ PORT: '4002' }, { directory })).toMatchObject({ port: 4002, host: '0.0.0.0' })
  })

  test.each([
    { value: 'off', trusted: 0 },
    { value: 'on', trusted: 1 },
    { value: '2', trusted: 2 },
    { value: '10.0.0.0/8, fd00::/8, loopback', trusted: ['10.0.0.0/8', 'fd00::/8', 'loopback'] },
  ])('TRUST_PROXY=$value trusts $trusted', ({ value, trusted }) => {
    expect(readSettings({ TRUST_PROXY: value }).trustProxy).toEqual(trusted)
  })

  test.each([
    [{}, 'confirmed'],
    [{ REGISTRATION: 'closed' }, 'any'],
    [{ REGISTRATION: 'closed', MAIL_RECIPIENTS: 'confirmed' }, 'confirmed'],
    [{ MAIL_RECIPIENTS: 'any' }, 'any'],
  ])('with %o mail goes to %s recipients', (env, mailRecipients) => {
    const read = readSettings({ ...env, MAIL_DOMAINS: 'Example.org, corp.example' })
    expect(read).toMatchObject({ mailRecipients, mailDomains: ['example.org', 'corp.example'] })
    expect(read.mailsPerHour).toBe(100)
  })

  test.each(['catenary@example.org', 'Catenary <catenary@example.org>'])('mails may come from %s', (from) => {
    const mail = { SMTP_URL: 'smtps://user:p%40ss@mail.example.org', MAIL_FROM: from }
    expect(readSettings(mail)).toMatchObject({ smtpUrl: mail.SMTP_URL, mailFrom: from })
  })

  test('Headers of `OTLP_ENDPOINT` are never shown, and a wrong one stops the start with a line.', () => {
    const env = {
      OTLP_ENDPOINT: 'https://langfuse.example.org/api/public/otel',
      OTLP_HEADERS: 'Authorization=Basic%20cGs6c2s=, X-Scope = team%2C%20two',
    }
    expect(readSettings(env).traces).toEqual({
      endpoint: env.OTLP_ENDPOINT,
      headers: { authorization: 'Basic cGs6c2s=', 'x-scope': 'team, two' },
    })
    expect(readSettings({}).traces).toBeUndefined()
    const listed = listSettings({ env, directory: '/dev/null' })
    expect(listed.find(({ name }) => name === 'OTLP_HEADERS')?.value).toBe('••••')
  })

  test('the address of the bus is listed as a secret, as it may hold a password', () => {
    const env = {
      BUS_URL: 'rediss://someone:canary@bus.internal:6379',
      DATABASE_URL: 'postgres://localhost/x',
    }
    expect(readSettings(env).busUrl).toBe(env.BUS_URL)
    const listed = listSettings({ env, directory: '/dev/null' })
    expect(listed.find(({ name }) => name === 'BUS_URL')?.value).toBe('••••')
  })

  test('a model of one’s own is there once it has an address and a name', () => {
    expect(readSettings({}).models.custom).toBeUndefined()
    const env = {
      CUSTOM_BASE_URL: 'http://localhost:11434/v1',
      CUSTOM_MODEL: 'llama3',
      CUSTOM_LABEL: 'Llama',
    }
    expect(readSettings(env).models.custom).toMatchObject({
      apiKey: undefined,
      baseUrl: 'http://localhost:11434/v1',
      modelId: 'llama3',
      label: 'Llama',
    })
  })

  test('no private host may be fetched unless it is named', () => {
    expect(readSettings({}).fetchAllowHosts).toEqual([])
    expect(readSettings({ FETCH_ALLOW_HOSTS: 'wiki.internal, [fd00::1]:8080' }).fetchAllowHosts).toEqual([
      'wiki.internal',
      '[fd00::1]:8080',
    ])
  })

  test('origins are reduced to their origin', () => {
    expect(readSettings({ CORS_ORIGINS: 'https://a.example/path, https://b.example' }).corsOrigins).toEqual([
      'https://a.example',
      'https://b.example',
    ])
  })
})
