import * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import { readSetting, writeSetting } from '../../database/statements/stored-setting.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { lockSending, readLinkedRows } from '../activity/activity.ts'
import { ACTIVITY_LANE, tellEvent } from '../webhooks/webhooks.ts'

const MINUTE_SECONDS = 60
const SENT_AT_ONCE = 100

/** The key of the setting that says how far the rows were sent. */
const SENT = 'activity-sent'
const sent = z.object({ number: z.int() })

export function workActivitySending(ctx: Context): void {
  ctx.jobs.queue('activity-sent').work({
    repeatSeconds: MINUTE_SECONDS,
    atStart: 'minutely',
    handle: ({ signal }) => sendActivity(ctx, signal),
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
  const after = sent.safeParse(await readSetting(db, SENT)).data?.number ?? 0
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
  await writeSetting(db, { key: SENT, value: { number: head.number } })
  return rows.length
}
