import { setTimeout as delay } from 'node:timers/promises'

/** Classes of SQLSTATE that pass: connection, resources, operator's intervention, system, serialisation. */
const PASSING = new Set(['08', '40', '53', '57', '58'])
const FIRST_WAIT_MS = 50
const LAST_WAIT_MS = 1_000
/** By then the lease is long gone. */
const GIVE_UP_MS = 120_000

/** Tries again while the database is away; what is written must bear being written twice. */
export async function outlastOutage<T>(operation: () => Promise<T>, { closing }: { closing: AbortSignal }) {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LAST_WAIT_MS)) {
    try {
      return await operation()
    } catch (error) {
      if (!isOutage(error) || closing.aborted || performance.now() > giveUpAt) throw error
      await delay(wait, undefined, { signal: closing }).catch(() => undefined)
    }
  }
}

/** Whether a failed statement says more about the database's state than about the statement. */
function isOutage(error: unknown): boolean {
  for (let link = error; link instanceof Error; link = link.cause) {
    const code = 'code' in link ? String(link.code) : ''
    if (/^[0-9A-Z]{5}$/.test(code)) return PASSING.has(code.slice(0, 2))
    if (/^E[A-Z]+$/.test(code) || /connection|connect\b|connecting/i.test(link.message)) return true
  }
  return false
}
