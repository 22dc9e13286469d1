import { SettingError, StartError } from '../../errors.ts'

interface ServerFailure {
  /** Of Node and TLS, or a server’s SQLSTATE. */
  codes: readonly string[]
  /** What pg says where there is no code. */
  message?: RegExp
  /** Continues a sentence that begins “The database NAME at HOST:PORT”. */
  says: string
  todo: string
  /** A wait may cure it, as during a boot, a restart or a failover. */
  passes: boolean
}

const UNKNOWN_AUTHORITY = [
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
]

export const SERVER_FAILURES: readonly ServerFailure[] = [
  {
    codes: ['ECONNREFUSED'],
    says: 'refuses connections',
    todo: 'Is PostgreSQL running there?',
    passes: true,
  },
  {
    codes: ['ETIMEDOUT'],
    message:
      /^(timeout expired|timeout exceeded when trying to connect|Query read timeout|Connection terminated due to connection timeout)$/,
    says: 'does not answer',
    todo: 'Is its machine up, and does a firewall let this one through?',
    passes: true,
  },
  {
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'],
    says: 'can’t be reached from here',
    todo: 'See to the network between.',
    passes: true,
  },
  {
    codes: ['ECONNRESET', 'EPIPE', 'ECONNABORTED'],
    message: /^Connection terminated( unexpectedly)?$/,
    says: 'ended the connection before it answered',
    todo: 'Is it PostgreSQL that listens there, and is it just starting or stopping?',
    passes: true,
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    says: 'has a name that can’t be found',
    todo: 'Look at the host that the address names, and at this machine’s DNS.',
    passes: true,
  },
  {
    codes: ['57P03'],
    says: 'is starting up or shutting down',
    todo: 'Wait until it takes connections.',
    passes: true,
  },
  {
    codes: ['57P01', '57P02', '57P05'],
    says: 'is being stopped',
    todo: 'Start it again.',
    passes: true,
  },
  {
    codes: ['53300'],
    says: 'has no connection left',
    todo: 'Raise its max_connections, or set DATABASE_POOL lower in each process.',
    passes: true,
  },
  {
    codes: ['08P01', '08006', '08001', '08004'],
    says: 'is refused by what stands before it',
    todo: 'Look at the log of the pooler, and at the databases and users that it knows.',
    passes: true,
  },
  {
    codes: ['28P01'],
    says: 'refuses this user or password',
    todo: 'Correct them; in an address @ : / ? # of a password are written %40 %3A %2F %3F %23.',
    passes: false,
  },
  {
    codes: ['28000'],
    says: 'refuses this user, from this address or without TLS',
    todo: 'Look at its pg_hba.conf; sslmode=require in the address takes TLS.',
    passes: false,
  },
  {
    codes: ['3D000'],
    says: 'does not exist',
    todo: 'Create it, then start again.',
    passes: false,
  },
  {
    codes: ['42501'],
    message: /^permission denied for database/,
    says: 'does not let this user in',
    todo: 'Have its owner GRANT CONNECT ON that database to the role.',
    passes: false,
  },
  {
    codes: [],
    message: /server does not support SSL connections/,
    says: 'has no TLS, which sslmode asks for',
    todo: 'Set ssl = on there, or take sslmode out of the address where its way is private.',
    passes: false,
  },
  {
    codes: UNKNOWN_AUTHORITY,
    says: 'shows a certificate of an authority that is not known here',
    todo: 'Name that authority’s certificate with sslrootcert=/path/to/root.crt, or set sslmode=require, which encrypts and checks nothing.',
    passes: false,
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    says: 'shows a certificate for another name',
    todo: 'Use the name that is in it, or sslmode=verify-ca, which does not compare names.',
    passes: false,
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    says: 'shows a certificate that is not valid today',
    todo: 'Renew it there, and look at both clocks.',
    passes: false,
  },
]

export function findServerFailure(error: Error & { code?: string }): ServerFailure | undefined {
  const { code = '', message } = error
  return SERVER_FAILURES.find(
    (failure) =>
      // 42501 is also said of tables.
      (failure.codes.includes(code) && (code !== '42501' || failure.message?.test(message))) ||
      (code === '' && failure.message?.test(message)),
  )
}

export class ServerFailureError extends StartError {
  readonly passes: boolean

  constructor(place: string, { says, todo, passes }: ServerFailure, cause: unknown) {
    super(`The database ${place} ${says}. ${todo}`, { cause })
    this.passes = passes
  }

  override get isSetting(): boolean {
    return !this.passes
  }
}

export function namePlace(error: unknown, place: string): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error
  const failure = findServerFailure(error)
  return failure === undefined ? error : new ServerFailureError(place, failure, error)
}

export function describePlace(address: string, setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(address)
    const host = searchParams.get('host') ?? decodeURIComponent(hostname)
    const at = host.startsWith('/') ? host : `${host || 'localhost'}:${port || '5432'}`
    return `${decodeURIComponent(pathname.slice(1)) || 'of the user’s name'} at ${at} (${setting})`
  } catch {
    throw new SettingError(`${setting}: must be a URL such as postgres://user:password@host:5432/name`)
  }
}
