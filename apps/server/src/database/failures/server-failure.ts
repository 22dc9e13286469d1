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
    todo: 'Is its machine up, and does the firewall let this machine through?',
    passes: true,
  },
  {
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'],
    says: 'can’t be reached from here',
    todo: 'Check the network in between.',
    passes: true,
  },
  {
    codes: ['ECONNRESET', 'EPIPE', 'ECONNABORTED'],
    message: /^Connection terminated( unexpectedly)?$/,
    says: 'ended the connection before it answered',
    todo: 'Does PostgreSQL listen there, and is it starting or stopping?',
    passes: true,
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    says: 'has a name that can’t be found',
    todo: 'Check the host in the address, and this machine’s DNS.',
    passes: true,
  },
  {
    codes: ['57P03'],
    says: 'is starting up or shutting down',
    todo: 'Wait until it accepts connections.',
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
    says: 'is blocked by a pooler in front of it',
    todo: 'Check the pooler’s log, and the databases and users that it knows.',
    passes: true,
  },
  {
    codes: ['28P01'],
    says: 'refuses this user or password',
    todo: 'Correct them. In an address, write @ : / ? # in a password as %40 %3A %2F %3F %23.',
    passes: false,
  },
  {
    codes: ['28000'],
    says: 'refuses this user, from this address or without TLS',
    todo: 'Check its pg_hba.conf; sslmode=require in the address uses TLS.',
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
    says: 'has no TLS, which sslmode requires',
    todo: 'Set ssl = on there, or remove sslmode from the address if the network is private.',
    passes: false,
  },
  {
    codes: UNKNOWN_AUTHORITY,
    says: 'has a certificate from an unknown authority',
    todo: 'Set sslrootcert=/path/to/root.crt to that authority’s certificate, or sslmode=require, which encrypts but checks nothing.',
    passes: false,
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    says: 'has a certificate for a different name',
    todo: 'Use the name in the certificate, or sslmode=verify-ca, which does not compare names.',
    passes: false,
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    says: 'has a certificate that is not valid today',
    todo: 'Renew it there, and check both clocks.',
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
