import type { SchedulerState, SystemCheckResult } from '@catenary/contracts'
import type { Mail } from '../../platform/mail/mail.ts'
import { MailError } from '../../platform/mail/mail-error.ts'
import { type Outbound, OutboundError } from '../../platform/outbound/outbound.ts'
import type { Disk } from '../../platform/platform.ts'

type Outcome = Pick<SystemCheckResult, 'status' | 'message'>

/** One of each kind: this machine, private networks, cloud metadata; plain, as a name, inside IPv6. */
const FORBIDDEN_HOSTS = [
  ...['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.0.1'],
  ...['169.254.169.254', '[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '[fd00::1]'],
]
/** A port without a service, which no entry of FETCH_ALLOW_HOSTS names. */
const DISCARD_PORT = 9

/** The guard must refuse each forbidden address before it connects. */
export async function checkOutbound(outbound: Pick<Outbound, 'fetchText'>): Promise<Outcome> {
  const refused = await Promise.all(FORBIDDEN_HOSTS.map((host) => isRefused({ outbound, host })))
  const open = FORBIDDEN_HOSTS.filter((_host, index) => !refused[index])
  if (open.length > 0) return { status: 'failed', message: `Not refused: ${open.join(', ')}` }
  const message = `Refused all ${FORBIDDEN_HOSTS.length} addresses that are not on the public internet`
  return { status: 'ok', message }
}

async function isRefused({
  outbound,
  host,
}: {
  outbound: Pick<Outbound, 'fetchText'>
  host: string
}): Promise<boolean> {
  try {
    await outbound.fetchText({ url: `http://${host}:${DISCARD_PORT}/` })
    return false
  } catch (error) {
    return error instanceof OutboundError && error.code === 'blocked'
  }
}

const MEBIBYTE = 1024 ** 2

export function checkDisk(disk: Disk): Outcome {
  const free = disk.freeBytes()
  if (free === null) return { status: 'off', message: 'The PostgreSQL server manages its own disk' }
  const room = `${Math.floor(free / MEBIBYTE).toLocaleString('en')} MiB are free where the database is`
  if (!disk.isFull()) return { status: 'ok', message: room }
  return { status: 'failed', message: `The disk is full: reads work, writes are refused; ${room}` }
}

/** The mail server must be there and accept the sign-in. */
export async function checkMail(mail: Mail): Promise<Outcome> {
  if (!mail.isSetUp) return { status: 'off', message: 'Not set up: SMTP_URL is not set' }
  try {
    await mail.verify()
    return { status: 'ok', message: 'The mail server is ready to accept email' }
  } catch (error) {
    if (error instanceof MailError) return { status: 'failed', message: error.message }
    throw error
  }
}

/** A schedule overdue for longer has no worker to start it. */
const OVERDUE_MS = 60_000

export function checkSchedules(state: SchedulerState, now: Date): Outcome {
  const { paused, active, nextDueAt, lastLatenessMs, mailsWaiting, mailsFailed } = state
  const mail = `${mailsWaiting} emails waiting, ${mailsFailed} not delivered within a day`
  if (paused) return { status: 'off', message: `An administrator has paused all schedules; ${mail}` }
  if (nextDueAt !== null && Date.parse(nextDueAt) < now.getTime() - OVERDUE_MS) {
    return { status: 'failed', message: `Due since ${nextDueAt} but not started. Is a worker running?` }
  }
  const next = nextDueAt === null ? 'none is due' : `the next is due ${nextDueAt}`
  const late = lastLatenessMs === null ? '' : `, the last one started ${Math.round(lastLatenessMs)} ms late`
  return { status: 'ok', message: `${active} active, ${next}${late}; ${mail}` }
}
