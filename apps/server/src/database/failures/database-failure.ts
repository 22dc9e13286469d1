import { AppError } from '../../errors.ts'

/** Classes of SQLSTATE that pass: connection, resources, operator's intervention, system, serialisation. */
const PASSING = new Set(['08', '40', '53', '57', '58'])
/** A write on a read-only server: a standby, or one set to read only. */
const READ_ONLY = '25006'
const TOOK_TOO_LONG = '57014'
const BROKEN = /^E(CONN\w+|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)$/
const BROKEN_WORDS = /connection|connect\b|connecting|the embedded database/i
const DISK_FULL = '53100'

const AWAY_SECONDS = 5
const BUSY_SECONDS = 10
const FULL_SECONDS = 60

export const diskFull = () =>
  new AppError(
    'unavailable',
    'The disk is full. Nothing can be saved until an administrator frees up space.',
    {
      retryAfter: FULL_SECONDS,
    },
  )

export const databaseAway = ({ cause }: { cause?: unknown } = {}) =>
  new AppError('unavailable', 'The database is not available. Please try again in a moment.', {
    retryAfter: AWAY_SECONDS,
    cause,
  })

export function toDatabaseFailure(error: unknown): AppError | undefined {
  const codes = codesOf(error)
  if (codes.includes(DISK_FULL)) return diskFull()
  if (codes.includes(TOOK_TOO_LONG)) {
    return new AppError('unavailable', 'The request took too long. Narrow it, or try again later.', {
      retryAfter: BUSY_SECONDS,
    })
  }
  return isOutage(error) ? databaseAway({ cause: error }) : undefined
}

export function isOutage(error: unknown): boolean {
  for (const link of linksOf(error)) {
    const code = 'code' in link ? String(link.code) : ''
    if (/^[0-9A-Z]{5}$/.test(code)) return code === READ_ONLY || PASSING.has(code.slice(0, 2))
    if (BROKEN.test(code) || BROKEN_WORDS.test(link.message)) return true
  }
  return false
}

function codesOf(error: unknown): string[] {
  return linksOf(error).map((link) => ('code' in link ? String(link.code) : ''))
}

function linksOf(error: unknown): Error[] {
  const links: Error[] = []
  for (let link = error; link instanceof Error && !links.includes(link); link = link.cause) links.push(link)
  return links
}
