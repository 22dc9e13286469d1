import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

const HOSTS_FILE = '/etc/hosts'
/** The timeout of the first query to a server; it is retried once, with twice the time. */
const SILENCE_MS = 2000
const TRIES = 2
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
const LOOPBACK = ['127.0.0.1', '::1'].map(toAddress)

export interface ResolvedAddress {
  address: string
  family: number
}

interface LookUp {
  signal: AbortSignal
  isAllowed: boolean
}

export type ResolveName = (hostname: string, options: LookUp) => Promise<ResolvedAddress[]>

interface ResolverOptions {
  servers?: string[]
  hostsFile?: string
  silenceMs?: number
}

/**
 * Queries name servers over its own sockets. The system's lookup can't be cancelled and blocks one of the process's
 * four threads, which lookups for models need too.
 */
export function createNameResolver({
  servers,
  hostsFile = HOSTS_FILE,
  silenceMs = SILENCE_MS,
}: ResolverOptions = {}): ResolveName {
  return async (hostname, { signal, isAllowed }) => {
    const known = await findKnown(hostname, hostsFile)
    if (known.length > 0) return known
    try {
      return await ask({ hostname, servers, silenceMs, signal })
    } catch (error) {
      // Names of a search domain or of the local network: the system knows them, for hosts that an admin chose alone.
      if (isAllowed && codeOf(error) === 'ENOTFOUND') return await lookup(hostname, { all: true })
      throw error
    }
  }
}

async function findKnown(hostname: string, hostsFile: string): Promise<ResolvedAddress[]> {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const hosts = await readFile(hostsFile, 'utf8').catch(() => '')
  const lines = hosts.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  const named = lines.filter(([, ...names]) => names.some((one) => one.toLowerCase() === name))
  const addresses = named.map(([address = '']) => toAddress(address)).filter(({ family }) => family !== 0)
  const isLoopback = name === 'localhost' || name.endsWith('.localhost')
  return addresses.length === 0 && isLoopback ? LOOPBACK : addresses
}

interface Question {
  hostname: string
  servers: string[] | undefined
  silenceMs: number
  signal: AbortSignal
}

async function ask({ hostname, servers, silenceMs, signal }: Question): Promise<ResolvedAddress[]> {
  signal.throwIfAborted()
  const resolver = new Resolver({ timeout: silenceMs, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses.map(toAddress)
    const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    const isUnknown = reasons.every((reason) => NO_SUCH_NAME.has(codeOf(reason)))
    const code = isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN'
    throw Object.assign(new Error('The name was not found', { cause: reasons[0] }), { code })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function toAddress(address: string): ResolvedAddress {
  return { address, family: isIP(address) }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
