import { accessSync, constants } from 'node:fs'
import pg from 'pg'
import { SettingError } from '../../errors.ts'
import { describePlace, namePlace } from '../failures/server-failure.ts'

type AddressSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL'

export interface ServerAddress {
  url: string
  place: string
  tls: Tls
}

/** `none` is worth a warning where the connection leaves the machine. */
export type Tls = 'verified' | 'unverified' | 'none' | 'none, on this machine'

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const FILES = ['sslrootcert', 'sslcert', 'sslkey']
/** As PostgreSQL names the authorities that the system trusts. */
const SYSTEM = 'system'
const ASK_MS = 5_000

/**
 * Reads `sslmode` as PostgreSQL’s own programs do: `prefer`, which is meant where nothing is said, takes TLS where the
 * server has it, `require` insists, and only `verify-ca` and `verify-full` look at the certificate. On this machine nothing
 * said means none. Throws SettingError, or what happened on the way to the server.
 */
export async function readAddress(written: string, setting: AddressSetting): Promise<ServerAddress> {
  const place = describePlace(written, setting)
  const url = new URL(written)
  const { searchParams: query } = url
  const given = query.get('sslmode')
  requireFiles(query, setting)
  if (given !== null && !MODES.includes(given))
    throw new SettingError(`${setting}: sslmode=${given} must be one of ${MODES.slice(0, -1).join(', ')}`)
  if (given === 'verify-ca' && !query.has('sslrootcert'))
    throw new SettingError(`${setting}: sslmode=verify-ca needs sslrootcert=/path/to/root.crt`)
  // Whoever writes what pg alone knows means what pg does.
  if (given === 'no-verify') return { url: written, place, tls: 'unverified' }
  if (query.has('uselibpqcompat') || (given === null && query.has('ssl')))
    return { url: written, place, tls: 'unverified' }
  const isLocal = isSocket(url) || isOnThisMachine(url)
  // Authorities that anyone may ask for a certificate prove nothing but a name.
  const isSystem = query.get('sslrootcert') === SYSTEM
  if (isSystem) query.delete('sslrootcert')
  let mode = isSystem ? 'verify-full' : (given ?? (isLocal ? 'disable' : 'prefer'))
  if (mode === 'prefer' || mode === 'allow') mode = (await hasTls(url, place)) ? 'require' : 'disable'
  const verifies = mode.startsWith('verify') || (mode === 'require' && query.has('sslrootcert'))
  query.set('sslmode', mode)
  query.set('uselibpqcompat', 'true')
  const without = isLocal ? 'none, on this machine' : 'none'
  return { url: url.href, place, tls: mode === 'disable' ? without : verifies ? 'verified' : 'unverified' }
}

function requireFiles(query: URLSearchParams, setting: AddressSetting): void {
  for (const name of FILES) {
    const file = query.get(name)
    if (file === null || (name === 'sslrootcert' && file === SYSTEM)) continue
    try {
      accessSync(file, constants.R_OK)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new SettingError(`${setting}: the file of ${name} can’t be read: ${why}`)
    }
  }
}

const LOOPBACK = /^(|localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function isOnThisMachine({ hostname, searchParams }: URL): boolean {
  return LOOPBACK.test(searchParams.get('host') ?? decodeURIComponent(hostname))
}

const isSocket = ({ hostname, searchParams }: URL): boolean =>
  (searchParams.get('host') ?? decodeURIComponent(hostname)).startsWith('/')

const HAS_NONE = /server does not support SSL connections/

async function hasTls(address: URL, place: string): Promise<boolean> {
  if (isSocket(address)) return false
  const url = new URL(address)
  url.searchParams.set('sslmode', 'require')
  url.searchParams.set('uselibpqcompat', 'true')
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: ASK_MS })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    if (error instanceof Error && HAS_NONE.test(error.message)) return false
    throw namePlace(error, place)
  }
  await client.end()
  return true
}
