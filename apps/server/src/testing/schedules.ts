import type { CreateScheduleRequest, ScheduledOccurrence, ScheduledRun } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { scheduledRuns } from '../database/schema/index.ts'
import { createMail } from '../platform/mail/mail.ts'
import { startChainLibrary } from './chain-library.ts'
import type { TestUser } from './harness.ts'
import { type MailServer, startMailServer, toSmtpUrl } from './mail-server.ts'
import { RECURRING_QUEUES } from './recurring-jobs.ts'

const HOUR_MS = 3_600_000
const FROM = 'Catenary <catenary@example.org>'
/** Longer than a busy machine takes. */
const PATIENCE_MS = 20_000

interface ScheduleLibraryOptions {
  hasMail?: boolean
  settings?: object
  /** How long a mail server may be silent. */
  sendTimeoutMs?: number
}

export const daily = { isRecurring: true, recurringType: 'daily' } as const
export const hourly = { isRecurring: true, recurringType: 'cron', cron: '0 * * * *' } as const

export type ScheduleLibrary = Awaited<ReturnType<typeof startScheduleLibrary>>

/** A library of chains whose clock a test moves, with a mail server unless it is to have none. */
export async function startScheduleLibrary(
  kind: Parameters<typeof startChainLibrary>[0],
  { hasMail = true, settings = {}, sendTimeoutMs = PATIENCE_MS }: ScheduleLibraryOptions = {},
) {
  const clock = { aheadMs: 0 }
  const now = () => new Date(Date.now() + clock.aheadMs)
  const server: { mail: MailServer } = { mail: await startMailServer() }
  const smtpUrl = hasMail ? toSmtpUrl(server.mail) : undefined
  const mail = createMail({ smtpUrl, from: FROM, timeoutMs: PATIENCE_MS, sendTimeoutMs })
  const mailSettings = { smtpUrl, mailFrom: FROM, mailRecipients: 'any', ...settings }
  const library = await startChainLibrary(kind, {}, mailSettings, { now, mail })
  const { request, db } = library

  const list = async (chainId: number, as: TestUser = library.owner): Promise<ScheduledRun[]> => {
    const reply = await request({ url: `/api/chains/${chainId}/scheduled-runs`, as })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as ScheduledRun[]
  }
  const find = async ({ id, chainId }: Pick<ScheduledRun, 'id' | 'chainId'>, as?: TestUser) => {
    const found = (await list(chainId, as)).find((schedule) => schedule.id === id)
    if (found === undefined) throw new Error(`Schedule ${id} is not listed`)
    return found
  }
  /** Makes every waiting job due that is due by the test's clock. */
  const wake = async () => {
    await db.execute(
      sql`update jobs set next_at = now() where not is_held and queue not in (${sql.raw(RECURRING_QUEUES)}) and next_at > now()
        and (run_at <= ${now()} or attempt > 0)`,
    )
    await db.execute(sql`select pg_notify('catenary_jobs', '')`)
  }

  const schedule = async (
    chainId: number,
    fields: Partial<CreateScheduleRequest> = {},
    as: TestUser = library.owner,
  ): Promise<ScheduledRun> => {
    const scheduledTime = new Date(now().getTime() + HOUR_MS).toISOString()
    const body = { scheduledTime, timeZone: 'UTC', ...fields }
    const reply = await request({ method: 'POST', url: `/api/chains/${chainId}/schedule`, body, as })
    expect(reply.status, reply.text).toBe(201)
    return reply.body as ScheduledRun
  }
  const pass = async (ms: number) => {
    clock.aheadMs += ms
    await wake()
  }
  const passNext = async (made: ScheduledRun) => {
    const { nextRunAt } = await find(made)
    await pass(Date.parse(nextRunAt ?? '') - now().getTime() + 1)
  }
  const marks = (made: Pick<ScheduledRun, 'id' | 'chainId'>, expected: Partial<ScheduledOccurrence>[]) =>
    vi.waitFor(
      async () => {
        const { occurrences } = await find(made)
        expect(occurrences).toMatchObject(expected)
        return occurrences
      },
      { interval: 25 },
    )
  const scheduleNew = async (fields: Partial<CreateScheduleRequest> = {}) =>
    schedule((await library.buildChain(['Write.'])).id, fields)

  return {
    ...library,
    server,
    now,
    list,
    find,
    wake,
    findRun: library.find,

    /** By default once, in an hour. */
    schedule,

    /** The same, of a chain of its own. */
    scheduleNew,

    /** One whose first run does not answer. */
    startStuck: async (fields: Partial<CreateScheduleRequest>) => {
      const made = await scheduleNew(fields)
      library.fake.reply({ text: ['half'], fault: 'silence' })
      await passNext(made)
      await marks(made, [{ state: 'running' }])
      return made
    },

    post: (url: string, as: TestUser = library.owner) => request({ method: 'POST', url, as }),

    change: (id: number, body: unknown, as: TestUser = library.owner) =>
      request({ method: 'PATCH', url: `/api/scheduled-runs/${id}`, body, as }),

    /** Moves the clock of the test, without waking what is due. */
    moveClock: (ms: number) => {
      clock.aheadMs += ms
    },

    /** Moves the clock, and lets all that is due by then be claimed. */
    pass,

    /** The same, to just after the next time of a schedule. */
    passNext,

    /** Resets between tests: no schedule, no mail, no scripted reply, the machine's time. */
    reset: async () => {
      await db.delete(scheduledRuns)
      await db.execute(sql`delete from mails`)
      library.fake.reset()
      server.mail.mails.length = 0
      clock.aheadMs = 0
    },

    /** The occurrences of a schedule, once they are as expected. */
    marks,

    /** The mails that arrived, once there are as many. */
    arrived: async (count: number) => {
      await vi.waitFor(() => expect(server.mail.mails).toHaveLength(count), { interval: 25 })
      return server.mail.mails
    },

    close: async () => {
      await library.close()
      await server.mail.close()
    },
  }
}
