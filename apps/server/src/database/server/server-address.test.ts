import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServerDatabase } from '../../testing/database.ts'
import { freePort } from '../../testing/free-port.ts'
import { createPostgres } from '../../testing/postgres.ts'
import { TEST_CERTIFICATE } from '../../testing/test-certificate.ts'
import { readServerFacts } from '../open/database-facts.ts'
import { openServer } from './open-server.ts'
import { readAddress } from './server-address.ts'

/** As a server has one that no authority signed: for the names secure.test and localhost. */
let folder: string
let root: string
let port: number
let postgres: ReturnType<typeof createPostgres>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'catenary-tls-'))
  await chmod(folder, 0o755)
  port = await freePort()
  const databaseDir = path.join(folder, 'data')
  const settings = { fsync: 'off', ssl: 'on', ssl_cert_file: 'own.crt', ssl_key_file: 'own.key' }
  postgres = createPostgres({ databaseDir, port, settings })
  await postgres.initialise()
  const { uid, gid } = await stat(databaseDir)
  for (const [name, text] of [
    ['own.crt', TEST_CERTIFICATE.cert],
    ['own.key', TEST_CERTIFICATE.key],
  ] as const) {
    const file = path.join(databaseDir, name)
    await writeFile(file, `${text}\n`, { mode: 0o600 })
    await chown(file, uid, gid)
  }
  root = path.join(folder, 'root.crt')
  await writeFile(root, `${TEST_CERTIFICATE.cert}\n`)
  await postgres.start()
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Not a loopback address to whoever reads it, though it leads to this machine. */
const ELSEWHERE = '[::ffff:127.0.0.1]'
const addressOf = (host: string, query = '') =>
  `postgres://postgres:password@${host}:${port}/postgres${query}`

/** Whether a session of that address is encrypted, as the server says. */
async function isEncrypted(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    return rows[0].ssl
  } finally {
    await client.end()
  }
}

const read = (url: string) => readAddress(url, 'DATABASE_URL')

describe('sslmode means what PostgreSQL means', () => {
  test.each([
    { host: '127.0.0.1', query: '', tls: 'none, on this machine', encrypted: false },
    { host: ELSEWHERE, query: '', tls: 'unverified', encrypted: true },
    { host: '127.0.0.1', query: '?sslmode=disable', tls: 'none, on this machine', encrypted: false },
    { host: ELSEWHERE, query: '?sslmode=disable', tls: 'none', encrypted: false },
    { host: '127.0.0.1', query: '?sslmode=allow', tls: 'unverified', encrypted: true },
    { host: '127.0.0.1', query: '?sslmode=prefer', tls: 'unverified', encrypted: true },
    { host: '127.0.0.1', query: '?sslmode=require', tls: 'unverified', encrypted: true },
    { host: '127.0.0.1', query: '?sslmode=no-verify', tls: 'unverified', encrypted: true },
    { host: 'localhost', query: '?sslmode=verify-full&sslrootcert=ROOT', tls: 'verified', encrypted: true },
    // The certificate is for another name.
    { host: '127.0.0.1', query: '?sslmode=verify-ca&sslrootcert=ROOT', tls: 'verified', encrypted: true },
    { host: '127.0.0.1', query: '?sslmode=require&sslrootcert=ROOT', tls: 'verified', encrypted: true },
  ])('$host$query: $tls', async ({ host, query, tls, encrypted }) => {
    const address = await read(addressOf(host, query.replace('ROOT', encodeURIComponent(root))))
    expect(address.tls).toBe(tls)
    expect(await isEncrypted(address.url)).toBe(encrypted)
  })

  test.each([
    {
      url: () => addressOf('localhost', '?sslmode=verify-full'),
      says: /has a certificate from an unknown authority\. .*sslrootcert.*sslmode=require/,
    },
    {
      url: () => addressOf('127.0.0.1', `?sslmode=verify-full&sslrootcert=${encodeURIComponent(root)}`),
      says: /has a certificate for a different name/,
    },
    {
      url: async () => `${await createServerDatabase()}?sslmode=require`,
      says: /has no TLS, which sslmode requires/,
    },
    { url: () => addressOf('localhost', '?sslmode=verify-ca'), says: /sslmode=verify-ca needs sslrootcert/ },
    {
      url: () => addressOf('localhost', '?sslmode=full'),
      says: /sslmode=full must be one of disable, allow/,
    },
    {
      url: () => addressOf('localhost', '?sslmode=verify-full&sslrootcert=/nowhere/root.crt'),
      says: /the file of sslrootcert can’t be read: ENOENT/,
    },
  ])('what can’t be had is said: $says', async ({ url, says }) => {
    const options = { databaseUrl: await url(), connectionTimeoutMs: 10_000, log: undefined }
    await expect(openServer(options)).rejects.toThrow(says)
  })

  test('a server without TLS is taken where nothing insists on it', async () => {
    const url = await createServerDatabase()
    const address = await read(`${url}?sslmode=prefer`)
    expect(address.tls).toBe('none, on this machine')
    expect(await isEncrypted(address.url)).toBe(false)
  })

  test('`sslmode` means what PostgreSQL means, for the program and for `doctor`, which says whether the way is encrypted and checked.', async () => {
    const ask = (query: string) =>
      readServerFacts({ databaseUrl: addressOf('127.0.0.1', query), databaseDirectUrl: undefined })
    expect((await ask('?sslmode=require')).server?.tls).toBe('unverified')
    await expect(ask('?sslmode=verify-full')).rejects.toThrow(/certificate from an unknown authority/)
  })
})
