import type { AskChoice } from '@catenary/contracts'
import { askOutput } from '@catenary/domain'
import type { Transaction } from '../../../database/statements/executor.ts'
import type { Context } from '../../../platform/context.ts'
import { activeRuns } from '../engine/active-runs.ts'
import { askJobs } from './ask-jobs.ts'
import type { LockedAsk } from './asks.sql.ts'
import { storeAnswer } from './close-ask.sql.ts'

interface Closing {
  /** Locked with its run, and open. */
  ask: LockedAsk
  status: 'answered' | 'expired'
  decision: string
  text: string
  reason: string
  by: { id: number; username: string } | null
}

/** Stores the answer as the step's output; its run goes on wherever there is room, or ends as the choice says. */
export async function closeAsk(ctx: Context<Transaction>, closing: Closing): Promise<void> {
  const { ask, decision, text, reason, by, status } = closing
  const at = ctx.now()
  const output = askOutput({ decision, text, reason, by: by?.username ?? '', at: at.toISOString() })
  const { label = decision, ends } =
    ask.choices.find(({ id }) => id === decision) ?? ({} as Partial<AskChoice>)
  await storeAnswer(ctx.db, {
    ask,
    ends: ends ?? null,
    error: ends === 'failed' ? rejection({ label, reason, by }) : null,
    output,
    closed: {
      status,
      decision,
      givenText: text === ask.text ? null : text,
      reason: reason === '' ? null : reason,
      answeredBy: by?.id ?? null,
      closedAt: at,
    },
  })
  const { deadlines, reminders } = askJobs(ctx)
  const key = String(ask.id)
  await deadlines.remove(ctx.db, key)
  await reminders.remove(ctx.db, key)
  activeRuns(ctx).notify(ask.executionId, 'step')
}

function rejection({ label, reason, by }: Pick<Closing, 'reason' | 'by'> & { label: string }): string {
  const who = by === null ? 'Nobody answered in time, so the choice was' : `${by.username} chose`
  return `${who} “${label}”${reason === '' ? '' : `: ${reason}`}`
}
