import type { ActivityRow } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { type SyslogMessage, sendSyslog } from '../../platform/outbound/syslog.ts'
import { findSentNumber, lockSending, readLinkedRows, saveSentNumber } from '../activity/activity.ts'
import { ACTIVITY_LANE, tellEvent } from '../webhooks/webhooks.ts'

const MINUTE_SECONDS = 60
const SENT_AT_ONCE = 100

const SENT = 'activity-sent'
const LOGGED = 'activity-syslog'

export function workActivitySending(ctx: Context): void {
  ctx.jobs.queue(SENT).work({
    repeatSeconds: MINUTE_SECONDS,
    atStart: 'minutely',
    handle: ({ signal }) => sendActivity(ctx, signal),
  })
  const { syslogUrl: url } = ctx.settings
  if (url === undefined) return
  ctx.jobs.queue(LOGGED).work({
    repeatSeconds: MINUTE_SECONDS,
    atStart: 'minutely',
    handle: ({ signal }) => logActivity(ctx, { url, signal }),
  })
}

/** Tells the webhooks of administrators what was linked since, in order: at least once, as its place moves with the deliveries. */
export async function sendActivity(ctx: Context, signal?: AbortSignal): Promise<void> {
  let count = SENT_AT_ONCE
  while (count === SENT_AT_ONCE) {
    signal?.throwIfAborted()
    count = await transaction(ctx.app, sendNext)
  }
}

async function sendNext(ctx: Context<Transaction>): Promise<number> {
  const { db } = ctx
  await lockSending(db)
  const after = await findSentNumber(db, SENT)
  const rows = await readLinkedRows(ctx, { after, limit: SENT_AT_ONCE })
  const head = rows.at(-1)?.link
  if (!head) return 0
  await tellEvent(ctx, {
    type: 'activity',
    key: `activity:${head.number}`,
    object: ACTIVITY_LANE,
    audience: { role: 'admin' },
    data: { rows, head },
  })
  await saveSentNumber(db, { to: SENT, number: head.number })
  return rows.length
}

/** Sends what was linked since to syslog, in order. What arrived while its place could not be kept comes again. */
export async function logActivity(
  ctx: Context,
  { signal, ...server }: { url: string; signal?: AbortSignal; ca?: string },
): Promise<void> {
  const { db } = ctx.app
  for (;;) {
    signal?.throwIfAborted()
    const after = await findSentNumber(db, LOGGED)
    const rows = await readLinkedRows(ctx.app, { after, limit: SENT_AT_ONCE })
    const head = rows.at(-1)?.link
    if (!head) return
    await sendSyslog(rows.map(toMessage), { ...server, signal })
    await saveSentNumber(db, { to: LOGGED, number: head.number })
  }
}

const toMessage = (row: ActivityRow): SyslogMessage => ({
  at: row.at,
  severity: row.kind.endsWith('_refused') ? 'warning' : 'notice',
  messageId: row.kind,
  text: JSON.stringify(row),
})
