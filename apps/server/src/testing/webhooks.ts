import type {
  CreatedWebhook,
  CreateWebhookRequest,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryState,
} from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { webhooks } from '../database/schema/index.ts'
import { createMail } from '../platform/mail/mail.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { startChainLibrary } from './chain-library.ts'
import type { TestUser } from './harness.ts'
import { serveHttp } from './local-server.ts'
import { startMailServer, toSmtpUrl } from './mail-server.ts'
import { RECURRING_QUEUES } from './recurring-jobs.ts'
import { verifyMessage } from './verify-webhook.ts'

const FROM = 'Catenary <catenary@example.org>'
const OFTEN = { interval: 25 }

/** What an endpoint was posted. */
interface Received {
  path: string
  id: string
  headers: Record<string, string>
  raw: string
  body: { type: string; timestamp: string; data: Record<string, unknown> }
}

export type WebhookLab = Awaited<ReturnType<typeof startWebhookLab>>

/** A library of chains with an endpoint on this machine, whose clock a test moves. */
export async function startWebhookLab(
  kind: Parameters<typeof startChainLibrary>[0],
  { settings = {}, postMs = 10_000 }: { settings?: object; postMs?: number } = {},
) {
  const clock = { aheadMs: 0 }
  const now = () => new Date(Date.now() + clock.aheadMs)
  const received: Received[] = []
  /** By path, what it answers next; else 204. */
  const answers = new Map<string, (number | 'silence' | { status: number; retryAfter: string })[]>()
  const endpoint = await serveHttp(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString('utf8')
    const headers = request.headers as Record<string, string>
    const path = request.url ?? ''
    received.push({ path, raw, headers, id: headers['webhook-id'] ?? '', body: JSON.parse(raw) })
    const planned = answers.get(path)
    const answer = planned !== undefined && planned.length > 1 ? planned.shift() : planned?.[0]
    if (answer === 'silence') return
    if (typeof answer === 'object') {
      return void reply.writeHead(answer.status, { 'retry-after': answer.retryAfter }).end()
    }
    reply.statusCode = answer ?? 204
    reply.end(answer === undefined ? '' : `answer ${answer}`)
  })
  const mailServer = await startMailServer()
  const outbound = createOutbound({ allowHosts: [`127.0.0.1:${endpoint.port}`], deadlineMs: postMs })
  const mail = createMail({ smtpUrl: toSmtpUrl(mailServer), from: FROM })
  const mailSettings = { smtpUrl: toSmtpUrl(mailServer), mailFrom: FROM, mailRecipients: 'any' }
  const deps = { now, mail, outbound }
  const library = await startChainLibrary(kind, {}, { ...mailSettings, ...settings }, deps)
  const { request, db, owner } = library

  const urlOf = (path: string) => `http://127.0.0.1:${endpoint.port}${path}`
  const call = async <T>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    { body, as = owner, status }: { body?: unknown; as?: TestUser; status?: number } = {},
  ): Promise<T> => {
    const reply = await request({ method, url: `/api/webhooks${url}`, body, as })
    if (status === undefined) expect(reply.status, reply.text).toBeLessThan(300)
    else expect(reply.status, reply.text).toBe(status)
    return reply.body as T
  }
  const list = (as?: TestUser) => call<Webhook[]>('GET', '', as ? { as } : {})
  const find = async (id: number, as?: TestUser): Promise<Webhook> => {
    const found = (await list(as)).find((each) => each.id === id)
    if (found === undefined) throw new Error(`Webhook ${id} is not listed`)
    return found
  }
  const deliveries = (id: number, as?: TestUser) =>
    call<WebhookDelivery[]>('GET', `/${id}/deliveries`, as ? { as } : {})
  /** Makes every waiting job due that is due by the test's clock. */
  const wake = async () => {
    await db.execute(
      sql`update jobs set next_at = now() where not is_held and queue not in (${sql.raw(RECURRING_QUEUES)}) and next_at > now()
        and (run_at <= ${now()} or attempt > 0)`,
    )
    await db.execute(sql`select pg_notify('catenary_jobs', '')`)
  }
  let paths = 0

  return {
    ...library,
    now,
    mailServer,
    received,
    answers,
    endpoint,
    urlOf,
    call,
    list,
    find,
    deliveries,
    wake,
    wait: <T>(check: () => T | Promise<T>) => vi.waitFor(check, OFTEN),

    /** A webhook with a path of its own. */
    add: async (
      fields: Partial<CreateWebhookRequest> = {},
      as: TestUser = owner,
    ): Promise<CreatedWebhook & { path: string }> => {
      paths += 1
      const path = `/hook-${paths}`
      const body = { url: urlOf(path), events: ['run.completed', 'run.failed'], ...fields }
      return { ...(await call<CreatedWebhook>('POST', '', { body, as })), path }
    },

    /** What arrived there, once it is as many. */
    arrived: (path: string, count: number) =>
      vi.waitFor(() => {
        const there = received.filter((each) => each.path === path)
        expect(there).toHaveLength(count)
        return there
      }, OFTEN),

    /** Its deliveries in the order of their making, once their states are these. */
    settled: (id: number, states: WebhookDeliveryState[], as?: TestUser) =>
      vi.waitFor(async () => {
        const made = (await deliveries(id, as)).toReversed()
        expect(made.map(({ state }) => state)).toEqual(states)
        return made
      }, OFTEN),

    /** Throws unless one of its signatures is of that secret. */
    verify: (posted: Received, secret: string): unknown => {
      const at = Number(posted.headers['webhook-timestamp']) * 1000
      vi.useFakeTimers({ toFake: ['Date'], now: at })
      try {
        return verifyMessage(posted, secret)
      } finally {
        vi.useRealTimers()
      }
    },

    /** A chain of one step, run once; gives the id of the run that has ended. */
    run: async (chainId: number, as: TestUser = owner, body: object = { input: 'A secret input' }) => {
      const id = await library.execute(chainId, body, as)
      await library.ended(id, as)
      return id
    },

    /** Moves the clock, and lets all that is due by then be claimed. */
    pass: async (ms: number) => {
      clock.aheadMs += ms
      await wake()
    },

    reset: async () => {
      await db.delete(webhooks)
      await db.execute(sql`delete from jobs where queue = 'webhooks'`)
      await db.execute(sql`delete from mails`)
      library.fake.reset()
      received.length = 0
      answers.clear()
      mailServer.mails.length = 0
      clock.aheadMs = 0
    },

    close: async () => {
      await library.close()
      await endpoint.close()
      await mailServer.close()
      await outbound.close()
    },
  }
}
