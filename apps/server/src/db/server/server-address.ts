import { accessSync, constants } from 'node:fs'
import { connect } from 'node:net'
import { SettingError } from '../../errors.ts'
import { describePlace, namePlace } from './server-failure.ts'

type AddressSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL'

/** How a server is reached, for pg. */
export interface ServerAddress {
  /** With `sslmode` as pg takes it. */
  url: string
  /** Where, in words, without user and password. */
  place: string
  tls: Tls
}

/** `none` on a way that leaves the machine is worth a word. */
export type Tls = 'verified' | 'unverified' | 'none' | 'none, on this machine'

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const FILES = ['sslrootcert', 'sslcert', 'sslkey']
/** As PostgreSQL names the authorities that the system trusts. */
const SYSTEM = 'system'
const ASK_MS = 5_000
/** The message by which a client asks whether a server has TLS: its length, and 1234 5679. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

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
    throw new SettingError(`${setting}: sslmode=${given} is none of ${MODES.slice(0, -1).join(', ')}`)
  if (given === 'verify-ca' && !query.has('sslrootcert'))
    throw new SettingError(`${setting}: sslmode=verify-ca needs sslrootcert=/path/to/root.crt`)
  // Whoever writes what pg alone knows means what pg does.
  if (given === 'no-verify') return { url: written, place, tls: 'unverified' }
  if (query.has('uselibpqcompat') || (given === null && query.has('ssl')))
    return { url: written, place, tls: 'unverified' }
  const isLocal = isOnThisMachine(url)
  let mode = given ?? (isLocal && !query.has('sslrootcert') ? 'disable' : 'prefer')
  if (mode === 'prefer' || mode === 'allow') mode = (await hasTls(url, place)) ? 'require' : 'disable'
  const verifies = mode.startsWith('verify') || (mode === 'require' && query.has('sslrootcert'))
  if (query.get('sslrootcert') === SYSTEM) query.delete('sslrootcert')
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
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  return host.startsWith('/') || LOOPBACK.test(host)
}

/** Whether the server takes TLS, which it says before anything else. */
async function hasTls({ hostname, port, searchParams }: URL, place: string): Promise<boolean> {
  const host = (searchParams.get('host') ?? decodeURIComponent(hostname)).replace(/^\[(.+)\]$/, '$1')
  if (host.startsWith('/')) return false
  try {
    return (await askForTls(host || 'localhost', Number(searchParams.get('port') ?? port) || 5432)) === 'S'
  } catch (error) {
    throw namePlace(error, place)
  }
}

function askForTls(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    socket.setTimeout(ASK_MS, () => socket.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
    socket.once('connect', () => socket.write(SSL_REQUEST))
    socket.once('data', (answer) => {
      socket.destroy()
      resolve(answer.toString('latin1', 0, 1))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  })
}
